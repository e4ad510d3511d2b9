import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { env } from '@/src/env';
import { keyDigest } from '@/src/idempotency/key';
import { type ScriptProcess, startScript } from '../database/processes';
import { createTenant, minimalTestimonial, type Tenant } from '../helpers/accounts';
import { send } from '../helpers/client';
import { onServer, untilSomebodyWaits, withHolder } from '../helpers/locks';
import { withOwnDatabase } from '../helpers/own-database';
import { withKey } from './keyed';

// Whole tables are locked.
withOwnDatabase();

type Service = { script: ScriptProcess; port: string };

/** Runs `task` with a service, which is killed at the latest when that has ended. */
async function withService(task: (service: Service) => Promise<void>): Promise<void> {
  const { DATABASE_URL = '', SECRET_KEY = '' } = env();
  const script = startScript('../rest/serving-process.ts', DATABASE_URL, SECRET_KEY);
  try {
    await task({ script, port: (await script.nextLine()) ?? '' });
  } finally {
    await script.kill();
  }
}

/** A create: of a testimonial, which is one statement, or of a space, which is a transaction. */
type Create = { path: '/testimonials' | '/spaces'; json: unknown };

async function createOf(path: Create['path'], tenant: Tenant): Promise<Create> {
  if (path === '/spaces') return { path, json: { name: 'A space' } };
  return { path, json: minimalTestimonial((await tenant.space()).id) };
}

/** Sends a create to a process; undefined where it died before it answered. */
async function createAt(service: Service, tenant: Tenant, key: string, { path, json }: Create) {
  try {
    const response = await fetch(`http://127.0.0.1:${service.port}/api/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tenant.api.key}`, 'idempotency-key': key },
      body: JSON.stringify(json),
    });
    return { status: response.status, text: await response.text() };
  } catch {
    return undefined;
  }
}

/** The same again to this process, until nobody is at it any more. */
async function retry(tenant: Tenant, key: string, { path, json }: Create) {
  for (;;) {
    const answer = await send('POST', path, withKey(tenant, key, { json }));
    if (answer.status !== 409) return answer;
  }
}

type Lock = (holder: Client, tenant: Tenant, key: string) => Promise<unknown>;

const lockKeys: Lock = (holder) =>
  holder.query('LOCK TABLE idempotency_keys IN ACCESS EXCLUSIVE MODE');

const lockSpaces: Lock = (holder, { accountId }) =>
  holder.query('SELECT FROM spaces WHERE user_id = $1 FOR UPDATE', [accountId]);

const lockAccount: Lock = (holder, { accountId }) =>
  holder.query('SELECT FROM users WHERE id = $1 FOR UPDATE', [accountId]);

const insertKey: Lock = async (holder, { accountId }, key) => {
  // Without triggers, which would lock the account.
  await holder.query('SET LOCAL session_replication_role = replica');
  await holder.query(
    `INSERT INTO idempotency_keys (user_id, key_digest, request_digest, status, body)
     VALUES ($1, $2, '', 201, '')`,
    [accountId, keyDigest(accountId, key)],
  );
};

const oneStatement = /WITH key_claim AS/;

/** What the holder locks, so that a create stops at that very point; and what waits there. */
const places: [place: string, path: Create['path'], waiting: RegExp, lock: Lock][] = [
  ['before it looks for the key', '/testimonials', oneStatement, lockKeys],
  ['before the row', '/testimonials', oneStatement, lockSpaces],
  ['after the row and before the event', '/testimonials', oneStatement, lockAccount],
  ['before the answer is kept', '/testimonials', oneStatement, insertKey],
  ['while it looks for the key', '/spaces', /SELECT claim_idempotency_key/, lockKeys],
  ['inside the statement', '/spaces', /INSERT INTO spaces/, lockAccount],
  ['before the answer is kept', '/spaces', /INSERT INTO idempotency_keys/, insertKey],
];

// An embedded database dies with the process that has it, which test/smoke kills.
describe.each(places)('killed %s, POST %s', (_, path, waiting, lock) => {
  onServer('the same request again makes exactly one', async () => {
    const tenant = await createTenant();
    const key = randomUUID();
    const create = await createOf(path, tenant);
    await withService(async (service) => {
      await withHolder(async (holder) => {
        await lock(holder, tenant, key);
        const first = createAt(service, tenant, key, create);
        const pids = await untilSomebodyWaits(holder);
        const { rows } = await holder.query(
          'SELECT query FROM pg_stat_activity WHERE pid = ANY ($1)',
          [pids],
        );
        expect(rows).toEqual([{ query: expect.stringMatching(waiting) }]);
        await service.script.kill();
        expect(await first).toBeUndefined();
        await holder.query('ROLLBACK');
      });
      await expectExactlyOne(tenant, key, create);
    });
  });
});

onServer(
  'killed after the commit, before the answer: the same request again is answered as it was',
  async () => {
    const tenant = await createTenant();
    const key = randomUUID();
    const create = await createOf('/testimonials', tenant);
    await withService(async (service) => {
      const first = await createAt(service, tenant, key, create);
      await service.script.kill();
      const again = await retry(tenant, key, create);
      expect([again.status, again.text]).toEqual([201, first?.text]);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      await expectExactlyOne(tenant, key, create);
    });
  },
);

onServer(
  'killed at any moment with many under way, each request made again makes exactly one',
  async () => {
    const tenant = await createTenant();
    const create = await createOf('/testimonials', tenant);
    let total = 0;
    let answered = 0;
    for (let round = 0; round < 5; round += 1) {
      await withService(async (service) => {
        const keys = Array.from({ length: 20 }, () => randomUUID());
        const first = keys.map((key) => createAt(service, tenant, key, create));
        // With the first answers some are before, some inside and some after their commit.
        await Promise.race([...first]);
        await service.script.kill();
        for (const [index, key] of keys.entries()) {
          const before = await first[index];
          const { status, text } = await retry(tenant, key, create);
          expect(status).toBe(201);
          if (before) expect([before.status, before.text]).toEqual([201, text]);
          answered += before ? 1 : 0;
        }
        total += keys.length;
      });
    }
    expect(answered).toBeLessThan(total);
    expect((await tenant.api.get('/testimonials')).body.pagination.total).toBe(total);
    expect(await tenant.events()).toHaveLength(total);
  },
  // Five processes are started, one after the other.
  5 * 60_000,
);

async function expectExactlyOne(tenant: Tenant, key: string, create: Create): Promise<void> {
  const { status, text } = await retry(tenant, key, create);
  expect(status).toBe(201);
  expect((await retry(tenant, key, create)).text).toBe(text);
  const { body } = await tenant.api.get(create.path);
  expect(body).toMatchObject({ pagination: { total: 1 }, data: [JSON.parse(text).data] });
  const about = create.path === '/spaces' ? 'everything' : 'testimonials';
  expect(await tenant.events(about)).toHaveLength(1);
}
