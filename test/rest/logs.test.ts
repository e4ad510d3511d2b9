import { randomUUID } from 'node:crypto';
import { TRPCError } from '@trpc/server';
import { ZodRealError } from 'zod';
import { POST } from '@/app/api/v1/[[...path]]/route';
import { toApiError } from '@/src/api/errors';
import { describeFailure } from '@/src/api/failure-log';
import { database } from '@/src/database/client';
import { waitingRoom } from '@/src/events/waiting';
import { createLog, log } from '@/src/logging/log';
import { singleton } from '@/src/singleton';
import { createKey, createTenant, minimalTestimonial } from '../helpers/accounts';
import { type Answer, send } from '../helpers/client';
import { onServer, untilSomebodyWaits, withHolder } from '../helpers/locks';
import { settled } from '../helpers/next-server';
import { callTrpc } from '../helpers/session';

/** Everything this file's process logs, as written. */
let written: string[] = [];

// Before anything logs: there is one logger per process, and this makes it.
singleton('log', () => createLog('debug', { write: (line) => written.push(line) }));

beforeEach(() => {
  written = [];
});

async function createCaller() {
  const tenant = await createTenant();
  const key = await createKey(tenant.accountId);
  const rows = await database().apiKey.findMany({ where: { userId: tenant.accountId } });
  const keyId = rows.find(({ hint }) => key.endsWith(hint.slice(-4)))?.id;
  await settled();
  written = [];
  return { tenant, key, keyId, accountId: tenant.accountId };
}

/** The one line about the request of an answer. */
function lineOf(answer: Answer): Record<string, unknown> {
  const id = answer.headers.get('x-request-id');
  const lines = written.map((line) => JSON.parse(line)).filter(({ requestId }) => requestId === id);
  expect(lines).toHaveLength(1);
  return lines[0];
}

describe('the line of a request', () => {
  test('says who asked for what, how it went and how long it took', async () => {
    const { key, keyId, accountId, tenant } = await createCaller();
    const { id } = await tenant.space();
    const answer = await send('GET', `/spaces/${id}?unknown=1`, { key });
    expect(lineOf(answer)).toEqual({
      level: expect.any(Number),
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      requestId: answer.headers.get('x-request-id'),
      method: 'GET',
      route: '/spaces/{id}',
      status: 200,
      durationMs: expect.any(Number),
      accountId,
      keyId,
      msg: 'request',
    });
    expect(lineOf(answer).durationMs).toBeGreaterThan(0);
  });

  test('is no error where a client asks for more than there is room for', async () => {
    const { key, accountId } = await createCaller();
    const places = Array.from({ length: 100 }, () => waitingRoom().enter(accountId));
    const answer = await send('GET', '/events?after=latest&wait=20', { key });
    for (const place of places) place?.leave();
    expect(lineOf(answer)).toMatchObject({ level: 30, status: 503, code: 'OVERLOADED' });
  });

  onServer(
    'says of a write that the database called off by which of its means that was',
    async () => {
      const { tenant, key } = await createCaller();
      const { id } = await tenant.space();
      await settled();
      written = [];
      await withHolder(async (holder) => {
        await holder.query('SELECT FROM spaces WHERE id = $1 FOR UPDATE', [id]);
        const sent = send('POST', '/testimonials', { key, json: minimalTestimonial(id) });
        const [pid] = await untilSomebodyWaits(holder);
        await holder.query('SELECT pg_cancel_backend($1)', [pid]);
        const reason = 'canceling statement due to user request';
        expect(lineOf(await sent)).toMatchObject({ level: 30, code: 'OVERLOADED', reason });
      });
    },
  );

  test('is written for every request, also for one that nobody is known for', async () => {
    const { key } = await createCaller();
    const answers = [
      await send('GET', '/spaces'),
      await send('GET', '/spaces', { key: 'junk' }),
      await send('GET', '/nowhere', { key }),
      await send('OPTIONS', '/spaces'),
      await send('GET', '/openapi.json'),
      await send('HEAD', '/spaces', { key }),
    ];
    expect(answers.map((answer) => lineOf(answer).status)).toEqual([401, 401, 404, 204, 200, 200]);
    expect(lineOf(answers[0] as Answer)).not.toHaveProperty('accountId');
    expect(lineOf(answers[0] as Answer).code).toBe('UNAUTHORIZED');
    expect(lineOf(answers[2] as Answer)).not.toHaveProperty('route');
  });

  test('names no account where its key is refused', async () => {
    const { key, keyId } = await createCaller();
    await database().apiKey.update({ where: { id: keyId }, data: { enabled: false } });
    const line = lineOf(await send('GET', '/spaces', { key }));
    expect(line.code).toBe('API_KEY_DISABLED');
    expect(line).not.toHaveProperty('accountId');
    expect(line).not.toHaveProperty('keyId');
  });

  test('of a VALIDATION_ERROR tells by path and rule what was wrong, without values', async () => {
    const { key, tenant } = await createCaller();
    const body = {
      ...minimalTestimonial((await tenant.space()).id),
      submitter_email: 'mallory-at-home',
      rating: 7_777_777,
      submitter_name: '',
    };
    const answer = await send('POST', '/testimonials', { key, json: body });
    const { code, invalid } = lineOf(answer);
    expect(code).toBe('VALIDATION_ERROR');
    expect(invalid).toEqual([
      expect.stringMatching(/^submitter_name: \w+$/),
      expect.stringMatching(/^submitter_email: \w+$/),
      expect.stringMatching(/^rating: \w+$/),
    ]);
    const ids = { testimonial_ids: ['mallory'] };
    const batch = await send('POST', '/testimonials/batch/delete', { key, json: ids });
    expect(lineOf(batch).invalid).toEqual([expect.stringMatching(/^testimonial_ids\.0: \w+$/)]);
    const query = await send('GET', '/testimonials?limit=7777777x', { key });
    expect(lineOf(query).invalid).toEqual(['limit is no integer']);
    const empty = await send('PATCH', `/spaces/${randomUUID()}`, { key, json: {} });
    expect(lineOf(empty).invalid).toEqual([expect.stringMatching(/^\(body\): \w+$/)]);
    expect(written.join()).not.toMatch(/mallory|7777777/);
  });

  test('of a body that is no JSON does not quote it', async () => {
    const { key } = await createCaller();
    const answer = await send('POST', '/spaces', { key, raw: 'mallory@example.com' });
    expect(lineOf(answer)).toMatchObject({ status: 500, code: 'INTERNAL_ERROR' });
    expect(written.join()).not.toContain('mallory');
  });

  test('of a body that breaks off is no error of ours: any client can do that', async () => {
    const { key } = await createCaller();
    const headers = { authorization: `Bearer ${key}` };
    const body = new ReadableStream({ pull: (controller) => controller.error(new Error('gone')) });
    const init = { method: 'POST', headers, body, duplex: 'half' } satisfies RequestInit & {
      duplex: 'half';
    };
    // Not through the front of the run: over a socket, a client that fails so early sends nothing.
    expect((await POST(new Request('http://localhost/api/v1/spaces', init))).status).toBe(500);
    expect(written.map((line) => JSON.parse(line))).toMatchObject([
      { level: 30, status: 500, invalid: ['the body broke off'] },
    ]);
  });
});

describe('a line is bounded', () => {
  /** The last line, which must be one, and short. */
  function lastLine(): Record<string, unknown> {
    const line = written.at(-1) ?? '';
    expect(Buffer.byteLength(line)).toBeLessThan(40_000);
    expect(line.split('\n')).toHaveLength(2);
    return JSON.parse(line);
  }

  test('for a request with 520,001 things wrong', () => {
    const issues = Array.from({ length: 520_001 }, (_, index) => ({
      code: 'custom' as const,
      path: ['custom_questions', index],
      message: 'Expected a text',
      input: index,
    }));
    const cause = new ZodRealError(issues);
    log().info(describeFailure(toApiError(new TRPCError({ code: 'BAD_REQUEST', cause }))));
    expect(lastLine()).toMatchObject({ code: 'VALIDATION_ERROR', issues: 520_001 });
    expect(lastLine().invalid).toHaveLength(10);
  });

  test('also where such a list is passed as it is', () => {
    const list = Array.from({ length: 520_001 }, (_, index) => `custom_questions.${index}: custom`);
    log().info({ list }, 'request');
    expect(lastLine().list).toHaveLength(21);
    expect(lastLine().list).toContain('… 519981 more');
  });

  test('for an error with a long message, a long stack and causes without end', () => {
    const error = new Error('x'.repeat(1_000_000));
    let cause: Error = error;
    for (let depth = 0; depth < 1_000; depth += 1) {
      cause.cause = new Error(`cause ${depth}`);
      cause = cause.cause as Error;
    }
    cause.cause = error;
    for (const write of [() => log().error({ err: error }), () => log().error(error, 'failed')]) {
      write();
      const line = lastLine();
      expect(line.err).toMatchObject({ type: 'Error', message: expect.stringMatching(/^x+…$/) });
    }
  });

  test.each<[string, unknown]>([
    [
      'an object of many fields',
      Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`k${n}`, n])),
    ],
    ['texts of which each is short', Array(20).fill(Array(20).fill('x'.repeat(2_900)))],
    ['text that JSON writes long', '\0'.repeat(1_000_000)],
    ['bytes', Buffer.alloc(1_000_000)],
    ['a name that is too long', { ['x'.repeat(1_000_000)]: 1 }],
  ])('for %s', (_, value) => {
    log().info({ value }, 'request');
    expect(lastLine()).toHaveProperty('value');
    log().info({ deep: { deep: { value } } }, 'request');
    lastLine();
  });

  test('for a message', () => {
    log().info({ component: 'auth' }, 'x'.repeat(1_000_000));
    expect(lastLine().msg).toMatch(/^x+…$/);
    log().info('y'.repeat(1_000_000));
    expect(lastLine().msg).toMatch(/^y+…$/);
  });
});

test('what took too long is told as any other error, also where it was the cause of one', () => {
  const err = new DOMException('It took too long', 'TimeoutError');
  log().warn({ err }, 'uploaded file not removed yet');
  log().warn({ err: new Error('No answer', { cause: err }) }, 'failed');
  const told = { type: 'TimeoutError', message: 'It took too long' };
  expect(written.map((line) => JSON.parse(line).err)).toMatchObject([told, { cause: told }]);
});

test('of the cause of an error that is no error itself, what it has is not told', () => {
  const cause = { query: 'INSERT', values: ['do-not-log-me'] };
  log().error({ err: new Error('Refused', { cause }) }, 'failed');
  expect(JSON.parse(written[0] ?? '').err).toMatchObject({
    message: 'Refused',
    cause: String(cause),
  });
  expect(written[0]).not.toContain('do-not-log-me');
});

test('of an error without a message, which holds others, the first of them is told', () => {
  const refused = [new Error('connect ECONNREFUSED ::1:1'), new Error('connect …')];
  log().error({ err: new AggregateError(refused) }, 'redis failed');
  log().error({ err: new AggregateError(refused, 'Its own') }, 'redis failed');
  const messages = written.map((line) => JSON.parse(line).err.message);
  expect(messages).toEqual(['connect ECONNREFUSED ::1:1', 'Its own']);
});

test('neither keys nor what people wrote is ever logged, whatever becomes of the request', async () => {
  const { key, tenant } = await createCaller();
  const secret = 'do-not-log-me';
  const { id: spaceId } = await tenant.space({ name: secret, description: secret });
  const body = {
    ...minimalTestimonial(spaceId),
    submitter_name: secret,
    submitter_email: `${secret}@example.com`,
    text_content: secret,
  };
  const { id } = await tenant.testimonial(spaceId, body);
  await send('PATCH', `/testimonials/${id}`, { key, json: { text_content: secret } });
  await send('POST', '/testimonials', { key, json: { ...body, submitter_email: secret } });
  await send('POST', '/testimonials', { key, json: { ...body, space_id: randomUUID() } });
  await send('POST', '/testimonials', { key, json: [body] });
  await send('POST', '/testimonials', { key, raw: `{${secret}` });
  await send('GET', `/testimonials?search=${secret}`, { key });
  await send('GET', `/testimonials?status=${secret}&${secret}=1`, { key });
  await send('GET', `/testimonials/${secret}`, { key });
  await send('GET', `/${secret}`, { key });
  await send('GET', '/spaces', { key: `sk_live_${'d'.repeat(64)}` });
  await send('GET', '/spaces', { headers: { authorization: secret, cookie: secret } });
  await send('DELETE', `/testimonials/${id}`, { key });
  await callTrpc('query', 'testimonials.get', { id: secret });
  await callTrpc('mutation', 'spaces.create', { secret });
  await settled();
  const everything = written.join();
  expect(written.length).toBeGreaterThan(12);
  expect(everything).not.toContain(secret);
  expect(everything).not.toContain(key.slice('sk_live_'.length, -4));
  expect(everything).not.toContain('dddddddd');
  expect(everything).not.toContain('ada@example.com');
});

test('what the database complains about is logged without the row it is about', async () => {
  const { tenant } = await createCaller();
  const { id: spaceId } = await tenant.space();
  const email = 'do-not-log-me@example.com';
  // A rating that the service would have refused: the database refuses it too, naming the row.
  const insert = database().$executeRaw`
    INSERT INTO testimonials (space_id, user_id, type, submitter_name, submitter_email, rating)
    VALUES (${spaceId}::uuid, ${tenant.accountId}::uuid, 'text', 'A', ${email}, 9)`;
  const error = await insert.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeDefined();
  written = [];
  log().error(describeFailure(toApiError(error)), 'request');
  expect(written.join()).toContain('23514');
  expect(written.join()).not.toContain(email);
});
