import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import fc from 'fast-check';
import { database, pool } from '@/src/database/client';
import { Prisma } from '@/src/database/generated/client';
import { provideEnv } from '@/src/env';
import { keyDigest, requestDigest } from '@/src/idempotency/key';
import { tryAtOnce } from '@/src/idempotency/one-statement';
import { createTenant, minimalTestimonial, type Tenant } from '../helpers/accounts';
import { send } from '../helpers/client';
import { onServer, untilSomebodyWaits, withHolder } from '../helpers/locks';
import { closeServers } from '../outbound/servers';
import { sendDescribed } from '../rest/conformance';
import { serveSpeechToText, serveVideo } from '../transcription/servers';
import { withKey } from './keyed';

afterEach(closeServers);

const create = (tenant: Tenant, key: string, json: unknown) =>
  sendDescribed('POST', '/testimonials', withKey(tenant, key, { json }));

/** Sends until it is not told that another is at it. */
async function createPatiently(tenant: Tenant, key: string, json: unknown) {
  for (;;) {
    const answer = await create(tenant, key, json);
    if (answer.status !== 409) return answer;
    expect(answer.body.error.code).toBe('IDEMPOTENCY_KEY_IN_USE');
    expect(answer.headers.get('retry-after')).toBe('1');
  }
}

onServer(
  'while the first is under way, the second is told so at once, and others go on, also another account with the same key',
  async () => {
    const [tenant, stranger] = [await createTenant(), await createTenant()];
    const strangers = minimalTestimonial((await stranger.space()).id);
    const [space, other] = [await tenant.space(), await tenant.space()];
    await withHolder(async (holder) => {
      // The create waits for its space.
      await holder.query('SELECT id FROM spaces WHERE id = $1 FOR UPDATE', [space.id]);
      const key = randomUUID();
      const first = create(tenant, key, minimalTestimonial(space.id));
      await untilSomebodyWaits(holder);
      const second = await create(tenant, key, minimalTestimonial(space.id));
      expect([second.status, second.body.error.code]).toEqual([409, 'IDEMPOTENCY_KEY_IN_USE']);
      expect(second.headers.get('retry-after')).toBe('1');
      const elsewhere = await create(tenant, randomUUID(), minimalTestimonial(other.id));
      expect(elsewhere.status).toBe(201);
      expect((await create(stranger, key, strangers)).status).toBe(201);
      await holder.query('COMMIT');
      const { status, text } = await first;
      expect(status).toBe(201);
      expect((await create(tenant, key, minimalTestimonial(space.id))).text).toBe(text);
    });
  },
);

/** Renames the account, and fails at what stands for an answer that another has kept meanwhile. */
function renameInVain(accountId: string) {
  const facts = { method: 'POST', path: '/spaces', body: {} };
  const digests = { key: keyDigest(accountId, 'met'), request: requestDigest(facts) };
  // It is kept by the same statement, which has not seen it either.
  return tryAtOnce(accountId, digests, 201, {
    expressions: () => Prisma.sql`
      renamed AS (UPDATE users SET name = 'Never' WHERE id = ${accountId}::uuid RETURNING id),
      another AS (
        INSERT INTO idempotency_keys (user_id, key_digest, request_digest, status, body)
        SELECT id, ${digests.key}::bytea, '', 201, '{}' FROM renamed RETURNING 1
      )`,
    columns: Prisma.sql`1 AS one`,
    from: 'another',
    answer: { text: `'{}'`, from: 'another' },
  });
}

test('a key whose answer another has kept since the statement began is undecided, and nothing is done', async () => {
  const { accountId } = await createTenant();
  expect(await renameInVain(accountId)).toEqual({ isUndecided: true });
  const { name } = await database().user.findUniqueOrThrow({ where: { id: accountId } });
  expect(name).not.toBe('Never');
});

test('what has failed with a key is told once the server is done with it, and has let go of the key', async () => {
  const { accountId } = await createTenant();
  let isTold = false;
  const isEnded = once(pool(), 'remove');
  const wasToldBefore = new Promise<boolean>((resolve) => {
    pool().once('acquire', ({ connection }) => {
      const emit = connection.emit.bind(connection);
      jest.spyOn(connection, 'emit').mockImplementation((event, ...rest) => {
        if (event !== 'readyForQuery') return emit(event, ...rest);
        // The error has come before it.
        setImmediate(() => {
          resolve(isTold);
          jest.restoreAllMocks();
          emit(event, ...rest);
        });
        return true;
      });
    });
  });
  await renameInVain(accountId);
  isTold = true;
  expect(await wasToldBefore).toBe(false);
  // One that refuses may be of a server that takes no writes any more.
  await isEnded;
});

test('however many retries at once, each key makes one testimonial and one event', async () => {
  const tenant = await createTenant();
  const space = await tenant.space();
  const rounds = fc.sample(
    fc.array(fc.record({ key: fc.nat(4), rating: fc.integer({ min: 1, max: 5 }) }), {
      minLength: 6,
      maxLength: 16,
    }),
    6,
  );
  let expected = 0;
  for (const requests of rounds) {
    const keys = Array.from({ length: 5 }, () => randomUUID());
    const answers = await Promise.all(
      requests.map(async ({ key, rating }) => {
        const json = { ...minimalTestimonial(space.id), rating };
        const { status, body, headers } = await createPatiently(tenant, keys[key] ?? '', json);
        const isReplayed = headers.has('idempotency-replayed');
        return { key, rating, status, isReplayed, id: body.data?.id, answered: body.data?.rating };
      }),
    );
    for (const key of new Set(requests.map((request) => request.key))) {
      const own = answers.filter((answer) => answer.key === key);
      const done = own.filter(({ status }) => status === 201);
      const [winner] = done;
      expect(new Set(done.map(({ id }) => id)).size).toBe(1);
      expect(done.filter(({ isReplayed }) => !isReplayed)).toHaveLength(1);
      for (const { rating, status, answered } of own) {
        expect(status).toBe(rating === winner?.answered ? 201 : 422);
        if (status === 201) expect(answered).toBe(rating);
      }
      expected += 1;
    }
  }
  expect((await tenant.api.get('/testimonials')).body.pagination.total).toBe(expected);
  expect(await tenant.events()).toHaveLength(expected);
});

test('a video is answered again while it is transcribed, and transcribed once', async () => {
  const tenant = await createTenant();
  const space = await tenant.space();
  const media = await serveVideo();
  const service = await serveSpeechToText();
  const key = randomUUID();
  const json = { ...minimalTestimonial(space.id), type: 'video', video_url: media.url };
  const retries: string[] = [];
  service.answer = async () => {
    for (let count = 0; count < 2; count += 1) {
      const { status, text } = await create(tenant, key, json);
      retries.push(`${status} ${text}`);
    }
    return { body: { text: 'We love it.' } };
  };
  const first = await create(tenant, key, json);
  provideEnv({ OPENAI_API_KEY: '', OPENAI_BASE_URL: '', ALLOW_PRIVATE_NETWORK: '' });
  expect(retries).toEqual(Array(2).fill(`201 ${first.text}`));
  expect(first.body.data.ai_transcript).toBeNull();
  expect([media.requests, service.received.length]).toEqual([1, 1]);
  const { body } = await tenant.api.get('/testimonials');
  expect(body.data).toMatchObject([{ ai_transcript: 'We love it.' }]);
  const types = (await tenant.events()).map(({ type }) => type);
  expect(types.filter((type) => type === 'testimonial.created')).toHaveLength(1);
});

onServer('a change that the database refuses leaves the key free', async () => {
  const tenant = await createTenant();
  const space = await tenant.space();
  await withHolder(async (holder) => {
    await holder.query('SELECT id FROM spaces WHERE id = $1 FOR UPDATE', [space.id]);
    const key = randomUUID();
    const json = minimalTestimonial(space.id);
    const first = send('POST', '/testimonials', withKey(tenant, key, { json }));
    const [pid] = await untilSomebodyWaits(holder);
    await holder.query('SELECT pg_cancel_backend($1)', [pid]);
    const { status, body } = await first;
    expect([status, body.error.code]).toEqual([503, 'OVERLOADED']);
    await holder.query('COMMIT');
    const again = await createPatiently(tenant, key, json);
    expect([again.status, again.headers.has('idempotency-replayed')]).toEqual([201, false]);
    expect(await tenant.events()).toHaveLength(1);
  });
});
