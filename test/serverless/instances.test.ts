import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { z } from 'zod';
import { database, disconnect } from '@/src/database/client';
import { provideEnv } from '@/src/env';
import { createTenant, minimalTestimonial } from '../helpers/accounts';
import { settled } from '../helpers/next-server';
import { withOwnDatabase } from '../helpers/own-database';
import { cookieOf, password } from '../helpers/session';
import { closeServers } from '../outbound/servers';
import { rowsOf } from '../requests/log';
import { createVideo, stateOf, transcribed, withoutTranscript } from '../transcription/queued';
import { serveSpeechToText, serveVideo } from '../transcription/servers';
import { verified } from '../webhooks/receiver';
import { newSending } from '../webhooks/sending';
import { ask, closePlatforms, openPlatform } from './asking';
import { describeFunctions } from './describe';

const cronSecret = 'a secret of the scheduler';

/** The platform's scheduler, by hand. */
async function callCron(secret = cronSecret): Promise<{ status: number; body: unknown }> {
  const { status, text } = await ask(openPlatform(), 'GET', '/api/cron', { key: secret });
  return { status, body: JSON.parse(text) };
}

/** A connection beside those that are looked at. */
async function withClient<T>(run: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: process.env.DATABASE_URL });
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end();
  }
}

const others =
  'FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()';

/**
 * How many other connections the database has, once it has heard of all that were closed: no more
 * than `most`, or this never returns.
 */
async function connectionsLeft(client: Client, most: number): Promise<number> {
  for (;;) {
    const { rows } = await client.query(`SELECT count(*)::int ${others}`);
    const [{ count }] = z.tuple([z.object({ count: z.number() })]).parse(rows);
    if (count <= most) return count;
  }
}

describeFunctions('processes that run for a request alone', () => {
  // Whatever is due is done, in whichever account.
  withOwnDatabase();

  beforeAll(() => provideEnv({ CRON_SECRET: cronSecret }));

  afterEach(async () => {
    provideEnv({ REQUEST_LOG: 'off', RATE_LIMIT_REQUESTS: '' });
    await closePlatforms();
    await closeServers();
  });

  test.each([
    ['/api/v1/openapi.json', 200],
    ['/api/v1/testimonials', 401],
    ['/api/nowhere', 404],
    ['/api/health', 200],
    ['/api/health/live', 200],
    ['/api/health/ready', 200],
    ['/api/cron', 401],
    ['/api/trpc/spaces.list', 401],
    ['/api/account/export', 303],
    ['/api/auth/nothing', 404],
    ['/files/nothing', 404],
  ])('the function of %s answers out of what it was packed with: %d', async (path, status) => {
    expect((await ask(openPlatform(), 'GET', path)).status).toBe(status);
  });

  test('a path that cannot be decoded is refused by Next, and keeps the process from nothing', async () => {
    const platform = openPlatform({ requestsPerInstance: 2 });
    const refused = await ask(platform, 'GET', '/api/v1/spaces/%E0%A4%A');
    await refused.finished;
    const next = await ask(platform, 'GET', '/api/v1/spaces');
    expect([refused.status, next.status]).toEqual([500, 401]);
    expect(next.instance.pid).toBe(refused.instance.pid);
  });

  test('who has signed up in one is signed in for the next', async () => {
    const origin = 'https://example.com';
    provideEnv({ PUBLIC_URL: origin });
    const email = `${randomUUID()}@example.com`;
    const headers = { origin, host: 'example.com', 'x-forwarded-for': '192.0.2.1' };
    const json = { email, password, name: 'A person' };
    const platform = openPlatform();
    const signedUp = await ask(platform, 'POST', '/api/auth/sign-up/email', { headers, json });
    expect([signedUp.status, signedUp.text]).toEqual([200, expect.stringContaining(email)]);
    const cookie = cookieOf(signedUp.response);
    const path = '/api/trpc/spaces.list?input=%7B%7D';
    const spaces = await ask(platform, 'GET', path, { headers: { cookie } });
    expect([spaces.status, spaces.text]).toEqual([200, expect.stringContaining('"data":[]')]);
  });

  test('the first attempt at a delivery follows the answer, before the process stands still', async () => {
    const { tenant, receiver, secret, spaceId } = await newSending();
    const request = { key: tenant.api.key, json: minimalTestimonial(spaceId) };
    const created = await ask(openPlatform(), 'POST', '/api/v1/testimonials', request);
    expect(created.status).toBe(201);
    await created.finished;
    expect(receiver.received.map((one) => verified(one, secret).type)).toEqual([
      'testimonial.created',
    ]);
  });

  test('an event that a process left behind when it ended is sent by the next cron, once', async () => {
    const { write, receiver, secret, deliveries } = await newSending();
    const id = await write();
    await settled();
    expect(receiver.received).toEqual([]);
    expect(await callCron()).toEqual({ status: 200, body: { attempts: 1 } });
    expect(await callCron()).toEqual({ status: 200, body: { attempts: 0 } });
    const events = receiver.received.map((one) => verified(one, secret));
    expect(events.map(({ type, data }) => [type, data.id])).toEqual([['testimonial.created', id]]);
    expect((await deliveries()).map(({ state }) => state)).toEqual(['succeeded']);
  });

  test('cron does nothing for who does not know its secret', async () => {
    const { write, receiver } = await newSending();
    await write();
    expect((await callCron('another secret of somebody')).status).toBe(401);
    expect(receiver.received).toEqual([]);
  });

  test('the log of requests is written after the answer, before the process stands still', async () => {
    provideEnv({ REQUEST_LOG: 'on' });
    const { accountId, api } = await createTenant();
    const { response, finished } = await ask(openPlatform(), 'GET', '/api/v1/spaces', api);
    await finished;
    const rows = await rowsOf(accountId);
    expect(rows.map(({ id, route }) => [id, route])).toEqual([
      [response.headers.get('x-request-id'), '/spaces'],
    ]);
  });

  describe('the rate limit', () => {
    const redis = process.env.TEST_REDIS_URL ?? '';

    /** Requests of an account that may send two; each tells its status and what is left after it. */
    async function openCaller(requestsPerInstance: number) {
      provideEnv({ RATE_LIMIT_REQUESTS: '2' });
      const { api } = await createTenant();
      const platform = openPlatform({ requestsPerInstance });
      return async () => {
        const answer = await ask(platform, 'GET', '/api/v1/spaces', api);
        await answer.finished;
        return [answer.status, answer.response.headers.get('x-ratelimit-remaining')];
      };
    }

    afterEach(() => {
      process.env.TEST_REDIS_URL = redis;
    });

    (redis ? test : test.skip)('is counted over all processes with a Redis', async () => {
      const call = await openCaller(1);
      // The third is refused, or a later one where Redis was late for a process, which then counted
      // for itself; none ever would be if each did.
      for (let status: unknown = 200; status !== 429; [status] = await call());
    });

    test('is counted by each process for itself without one', async () => {
      process.env.TEST_REDIS_URL = '';
      const call = await openCaller(1);
      expect([await call(), await call(), await call()]).toEqual([
        [200, '1'],
        [200, '1'],
        [200, '1'],
      ]);
      const callOne = await openCaller(3);
      expect([await callOne(), await callOne(), await callOne()]).toEqual([
        [200, '1'],
        [200, '0'],
        [429, '0'],
      ]);
    });
  });

  test('a transcription that failed in the request is made by cron', async () => {
    const tenant = await createTenant();
    const media = await serveVideo();
    const service = await serveSpeechToText();
    service.answer = async () => ({ status: 429, body: '', headers: { 'retry-after': '60' } });
    const id = await createVideo(tenant, media.url);
    await settled();
    expect(service.received).toHaveLength(1);
    expect(await stateOf(tenant, id)).toEqual(withoutTranscript('pending'));

    service.answer = async () => ({ body: { text: 'At last.', language: 'en' } });
    await database().transcriptionJob.updateMany({ data: { nextAttemptAt: new Date(0) } });
    expect(await callCron()).toEqual({ status: 200, body: { attempts: 1 } });
    expect(await stateOf(tenant, id)).toEqual(transcribed('At last.', 'en'));
  });

  test('one that stood still while the database ended its connection goes on, writes included', async () => {
    const { api, ...tenant } = await createTenant();
    const space = await tenant.space();
    await settled();
    const platform = openPlatform({ requestsPerInstance: 2 });
    const before = await ask(platform, 'GET', '/api/v1/spaces', api);
    await before.finished;
    await disconnect();
    await withClient(async (client) => {
      expect(await connectionsLeft(client, 1)).toBe(1);
      await client.query(`SELECT pg_terminate_backend(pid) ${others}`);
      expect(await connectionsLeft(client, 0)).toBe(0);
    });
    const request = { key: api.key, json: minimalTestimonial(space.id) };
    const after = await ask(platform, 'POST', '/api/v1/testimonials', request);
    expect([after.status, after.instance.pid]).toEqual([201, before.instance.pid]);
  });

  test('one has a single connection, and none is left when it has ended', async () => {
    provideEnv({ REQUEST_LOG: 'on' });
    const { tenant, receiver, spaceId } = await newSending();
    await settled();
    await disconnect();
    const platform = openPlatform({ requestsPerInstance: 2 });
    const request = { key: tenant.api.key, json: minimalTestimonial(spaceId) };
    const created = await ask(platform, 'POST', '/api/v1/testimonials', request);
    await created.finished;
    expect([created.status, receiver.received.length]).toEqual([201, 1]);
    await withClient(async (client) => {
      expect(await connectionsLeft(client, 1)).toBe(1);
      await platform.close();
      expect(await connectionsLeft(client, 0)).toBe(0);
    });
  });
});
