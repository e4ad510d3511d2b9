import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { digestKey } from '@/src/api-keys/key';
import { disconnect } from '@/src/database/client';
import { isWaitingForLock } from '@/src/database/connections/lock-waits';
import { provideEnv } from '@/src/env';
import { codeOf } from '@/src/error-parts';
import { transcriptionEnds } from '@/src/testimonials/transcripts';
import { claimTranscriptions } from '@/src/transcription/queue';
import { withFullServer } from '../database/query';
import { createKey, createTenant, minimalTestimonial, type Tenant } from '../helpers/accounts';
import { client, send } from '../helpers/client';
import { countWaiting, describeOnServer, untilWaiting } from '../helpers/locks';
import { borrowTestDatabase, type TestDatabase } from '../helpers/test-database';
import { importVideos } from '../transcription/queued';

const silenceMs = 1_000;
/** Sessions of other test files wait for locks too. */
let own: TestDatabase | undefined;
let direct: string;
let holder: Client;
/** Within a transaction, what sessions do is told as it was when first asked. */
let looker: Client;

describeOnServer('writes of an account whose row is locked', () => {
  beforeAll(async () => {
    own = await borrowTestDatabase();
    direct = own.url;
    const url = new URL(direct);
    url.searchParams.set('socket_timeout', String(silenceMs / 1000));
    await disconnect();
    provideEnv({ DATABASE_URL: url.href, CACHE_BYTES: '0' });
  });

  afterAll(async () => {
    await disconnect();
    await own?.close();
  });

  beforeEach(async () => {
    [holder, looker] = [new Client(direct), new Client(direct)];
    await Promise.all([holder.connect(), looker.connect()]);
  });

  afterEach(() => Promise.all([holder.end(), looker.end()]));

  async function lock({ accountId }: Tenant): Promise<void> {
    await holder.query('BEGIN');
    await holder.query('SELECT FROM users WHERE id = $1 FOR UPDATE', [accountId]);
  }

  type Headers = { 'Idempotency-Key'?: string };

  /** Each with a key of its own, where it has one. */
  const numbered = (headers: Headers, number: number) =>
    Object.fromEntries(Object.entries(headers).map(([name, key]) => [name, `${key}-${number}`]));

  function rename({ api: { key } }: Tenant, space: string, headers: Headers, number: number) {
    const json = { name: `Name ${number}` };
    return send('PATCH', `/spaces/${space}`, { key, json, headers: numbered(headers, number) });
  }

  function create({ api: { key } }: Tenant, space: string, headers: Headers, number: number) {
    const json = minimalTestimonial(space);
    return send('POST', '/testimonials', { key, json, headers: numbered(headers, number) });
  }

  test.each([
    ['without keys', rename, {}, 200],
    ['without keys, of one statement', create, {}, 201],
    ['with keys', rename, { 'Idempotency-Key': 'waits' }, 200],
    ['with keys, of which one statement knows', create, { 'Idempotency-Key': 'waits' }, 201],
  ])(
    'wait without failing, and take few connections: others do not wait, %s',
    async (_, write, headers, success) => {
      const [tenant, other] = [await createTenant(), await createTenant()];
      const { id } = await tenant.space();
      await other.space();
      await lock(tenant);
      const writes = Array.from({ length: 20 }, (_, number) => write(tenant, id, headers, number));
      await untilWaiting(looker, 4);
      // Longer than the server may say nothing, twice.
      await sleep(2.5 * silenceMs);
      expect(await countWaiting(looker)).toBe(4);
      const answers = await Promise.all(
        Array.from({ length: 30 }, (_, number) => other.api.get(`/spaces?limit=${number + 1}`)),
      );
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      await holder.query('COMMIT');
      expect((await Promise.all(writes)).map(({ status }) => status)).toEqual(
        writes.map(() => success),
      );
    },
  );

  test('so do deletions of spaces and of testimonials', async () => {
    const tenant = await createTenant();
    const spaces = await Promise.all(Array.from({ length: 8 }, () => tenant.space()));
    const testimonials = await Promise.all(spaces.map(({ id }) => tenant.testimonial(id)));
    await lock(tenant);
    for (const paths of [
      testimonials.map(({ id }) => `/testimonials/${id}`),
      spaces.map(({ id }) => `/spaces/${id}`),
    ]) {
      const deletions = paths.map((path) => tenant.api.delete(path));
      await untilWaiting(looker, 4);
      await sleep(silenceMs);
      expect(await countWaiting(looker)).toBe(4);
      await holder.query('COMMIT');
      expect((await Promise.all(deletions)).map(({ status }) => status)).toEqual(
        paths.map(() => 204),
      );
      await lock(tenant);
    }
    await holder.query('COMMIT');
  });

  test('are refused where their key is deleted before it is their turn', async () => {
    const tenant = await createTenant();
    const [space, spare] = [await tenant.space(), await tenant.space()];
    const { id } = await tenant.testimonial(space.id);
    const key = await createKey(tenant.accountId);
    const stolen = client(key);
    const once = { key, headers: { 'Idempotency-Key': 'stolen' } };
    const before = (await tenant.api.get('/testimonials')).body.data;
    await lock(tenant);
    const writes = Array.from({ length: 4 }, (_, number) => rename(tenant, space.id, {}, number));
    await untilWaiting(looker, 4);
    const late = [
      stolen.post('/testimonials', minimalTestimonial(space.id)),
      stolen.patch(`/spaces/${space.id}`, { name: 'Stolen' }),
      stolen.delete(`/testimonials/${id}`),
      stolen.delete(`/spaces/${spare.id}`),
      stolen.post('/testimonials/batch/delete', { testimonial_ids: [id] }),
      send('POST', '/testimonials', { ...once, json: minimalTestimonial(space.id) }),
      send('PATCH', `/spaces/${space.id}`, { ...once, json: { name: 'Stolen once' } }),
    ];
    await sleep(1.5 * silenceMs);
    await looker.query('DELETE FROM api_keys WHERE digest = $1', [digestKey(key)]);
    await holder.query('COMMIT');
    expect((await Promise.all(writes)).map(({ status }) => status)).toEqual(writes.map(() => 200));
    expect((await Promise.all(late)).map(({ status }) => status)).toEqual(late.map(() => 401));
    expect((await tenant.api.get('/testimonials')).body.data).toEqual(before);
    const { data } = (await tenant.api.get('/spaces')).body;
    expect(JSON.stringify(data)).not.toContain('Stolen');
    expect(data).toHaveLength(2);
  });

  test('so do the ends of transcriptions', async () => {
    const tenant = await createTenant();
    await importVideos(tenant, 'https://files.example/v.mp4', 8);
    const { claimed } = await claimTranscriptions({
      free: 16,
      underWay: new Map(),
      token: randomUUID(),
      start: randomUUID(),
    });
    expect(claimed).toHaveLength(8);
    const before = (await tenant.events()).length;
    await lock(tenant);
    const spoken = { text: 'Hello.', language: null };
    const ends = claimed.map((job) => transcriptionEnds.save(job, spoken, { keepsEdits: true }));
    await untilWaiting(looker, 4);
    await sleep(silenceMs);
    expect(await countWaiting(looker)).toBe(4);
    await holder.query('COMMIT');
    expect(await Promise.all(ends)).toEqual(claimed.map(() => true));
    const { data } = (await tenant.api.get('/testimonials')).body;
    expect(data.map((row: { ai_transcript: string }) => row.ai_transcript)).toEqual(
      claimed.map(() => 'Hello.'),
    );
    const events = (await tenant.events()).slice(before);
    expect(events.map(({ type }) => type)).toEqual(claimed.map(() => 'testimonial.updated'));
  });

  test.each([
    ['', {}],
    [' with a key', { 'Idempotency-Key': 'waits' }],
  ])(
    'a write%s that has waited for too long is cancelled, answered 503, and not done',
    async (_, sent) => {
      const tenant = await createTenant();
      const { id } = await tenant.space({ name: 'Before' });
      await lock(tenant);
      const write = rename(tenant, id, sent, 1);
      await untilWaiting(looker, 1);
      const { rows } = await looker.query(
        `SELECT pid FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      const processId: number = rows[0]?.pid;
      expect(await isWaitingForLock(direct, { processId, silentMs: 1_000 })).toBe(true);
      expect(await isWaitingForLock(direct, { processId, silentMs: 60_000 })).toBe(true);
      const { status, body, headers } = await write;
      expect([status, body.error.code, headers.get('retry-after')]).toEqual([
        503,
        'OVERLOADED',
        '5',
      ]);
      await holder.query('COMMIT');
      expect((await tenant.api.get(`/spaces/${id}`)).body.data.name).toBe('Before');
    },
  );

  test('a session that is at rest, or is not there, waits for nothing', async () => {
    const { rows } = await looker.query('SELECT pg_backend_pid() AS pid');
    for (const processId of [rows[0]?.pid, 0]) {
      expect(await isWaitingForLock(direct, { processId, silentMs: 60_000 })).toBe(false);
    }
    const nowhere = 'postgresql://someone@127.0.0.1:9/none';
    expect(await isWaitingForLock(nowhere, { processId: 1, silentMs: 0 })).toBe(false);
  });

  test('nor does one of a server that cannot be asked, for its certificate is gone', async () => {
    const gone = `postgresql://someone@127.0.0.1:9/none?sslrootcert=/nowhere-${randomUUID()}.pem`;
    expect(await isWaitingForLock(gone, { processId: 1, silentMs: 0 })).toBe(false);
  });

  test('a session that works, as one that has just been given a lock, is asked for once more', async () => {
    const { rows } = await looker.query('SELECT pg_backend_pid() AS pid');
    const session = { processId: rows[0]?.pid, silentMs: silenceMs };
    async function untilItWorks(): Promise<void> {
      for (;;) {
        const { rows } = await holder.query(
          "SELECT FROM pg_stat_activity WHERE pid = $1 AND state = 'active'",
          [session.processId],
        );
        if (rows.length === 1) return;
      }
    }
    await holder.query('SELECT pg_advisory_lock(1)');
    const waits = looker.query('SELECT pg_sleep(0.5), pg_advisory_lock(1)');
    await untilItWorks();
    expect(await isWaitingForLock(direct, session)).toBe(true);
    await holder.query('SELECT pg_advisory_unlock(1)');
    await waits;
    const works = looker.query('SELECT pg_sleep(600)').catch(codeOf);
    await untilItWorks();
    expect(await isWaitingForLock(direct, session)).toBe(false);
    await holder.query('SELECT pg_cancel_backend($1)', [session.processId]);
    expect(await works).toBe('57014');
  });

  test('one of a server that is full, and cannot be asked, is waited for up to the same minute', async () => {
    await withFullServer(direct, async (full) => {
      expect(await isWaitingForLock(full, { processId: 1, silentMs: 59_999 })).toBe(true);
      expect(await isWaitingForLock(full, { processId: 1, silentMs: 60_000 })).toBe(false);
    });
  });
});
