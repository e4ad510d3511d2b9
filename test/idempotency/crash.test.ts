import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { env } from '@/src/env';
import { keyDigest } from '@/src/idempotency/key';
import { type ScriptProcess, startScript } from '../database/processes';
import { createTenant, minimalTestimonial, type Tenant } from '../helpers/accounts';
import { send } from '../helpers/client';
import { untilSomebodyWaits } from '../helpers/locks';
import { withOwnDatabase } from '../webhooks/own-database';

// An embedded database dies with the process that has it, which test/smoke kills.
const onServer = process.env.TEST_DATABASE_URL ? test : test.skip;

// Whole tables are locked.
withOwnDatabase();

const minute = 60_000;

type Service = { script: ScriptProcess; port: string };

async function startService(): Promise<Service> {
  const { DATABASE_URL = '', SECRET_KEY = '' } = env();
  const script = startScript('../rest/serving-process.ts', DATABASE_URL, SECRET_KEY);
  return { script, port: (await script.nextLine()) ?? '' };
}

/** Sends a create to a process; undefined where it died before it answered. */
async function createAt(service: Service, tenant: Tenant, key: string, json: unknown) {
  try {
    const response = await fetch(`http://127.0.0.1:${service.port}/api/v1/testimonials`, {
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
async function retry(tenant: Tenant, key: string, json: unknown) {
  for (;;) {
    const headers = { 'idempotency-key': key };
    const answer = await send('POST', '/testimonials', { key: tenant.api.key, headers, json });
    if (answer.status !== 409) return answer;
  }
}

async function withHolder(task: (holder: Client) => Promise<void>): Promise<void> {
  const holder = new Client({ connectionString: env().DATABASE_URL });
  await holder.connect();
  try {
    await task(holder);
  } finally {
    await holder.end();
  }
}

/** What the holder locks, so that a create stops at that very point. */
const places: [
  place: string,
  waiting: RegExp,
  lock: (holder: Client, tenant: Tenant, key: string) => Promise<unknown>,
][] = [
  [
    'before the statement, while it looks for the key',
    /SELECT claim_idempotency_key/,
    (holder) => holder.query('LOCK TABLE idempotency_keys IN ACCESS EXCLUSIVE MODE'),
  ],
  [
    'inside the statement, before the row',
    /INSERT INTO testimonials/,
    (holder, { accountId }) =>
      holder.query('SELECT FROM spaces WHERE user_id = $1 FOR UPDATE', [accountId]),
  ],
  [
    'inside the statement, after the row and before the event',
    /INSERT INTO testimonials/,
    (holder, { accountId }) =>
      holder.query('SELECT FROM users WHERE id = $1 FOR UPDATE', [accountId]),
  ],
  [
    'after the statement, before its answer is kept',
    /INSERT INTO idempotency_keys/,
    async (holder, { accountId }, key) => {
      // Without triggers, which would lock the account.
      await holder.query('SET LOCAL session_replication_role = replica');
      await holder.query(
        `INSERT INTO idempotency_keys (user_id, key_digest, request_digest, status, body)
         VALUES ($1, $2, '', 201, '')`,
        [accountId, keyDigest(accountId, key)],
      );
    },
  ],
];

describe.each(places)('killed %s', (_, waiting, lock) => {
  onServer(
    'the same request again makes exactly one testimonial',
    async () => {
      const tenant = await createTenant();
      const key = randomUUID();
      const json = minimalTestimonial((await tenant.space()).id);
      const service = await startService();
      try {
        await withHolder(async (holder) => {
          await holder.query('BEGIN');
          await lock(holder, tenant, key);
          const first = createAt(service, tenant, key, json);
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
        await expectExactlyOne(tenant, key, json);
      } finally {
        await service.script.kill();
      }
    },
    minute,
  );
});

onServer(
  'killed after the commit, before the answer: the same request again is answered as it was',
  async () => {
    const tenant = await createTenant();
    const key = randomUUID();
    const json = minimalTestimonial((await tenant.space()).id);
    const service = await startService();
    try {
      const first = await createAt(service, tenant, key, json);
      await service.script.kill();
      const again = await retry(tenant, key, json);
      expect([again.status, again.text]).toEqual([201, first?.text]);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      await expectExactlyOne(tenant, key, json);
    } finally {
      await service.script.kill();
    }
  },
  minute,
);

onServer(
  'killed at any moment with many under way, each request made again makes exactly one',
  async () => {
    const tenant = await createTenant();
    const json = minimalTestimonial((await tenant.space()).id);
    let total = 0;
    let answered = 0;
    for (let round = 0; round < 5; round += 1) {
      const service = await startService();
      try {
        const keys = Array.from({ length: 20 }, () => randomUUID());
        const first = keys.map((key) => createAt(service, tenant, key, json));
        // With the first answers some are before, some inside and some after their commit.
        await Promise.race([...first]);
        await service.script.kill();
        for (const [index, key] of keys.entries()) {
          const before = await first[index];
          const { status, text } = await retry(tenant, key, json);
          expect(status).toBe(201);
          if (before) expect([before.status, before.text]).toEqual([201, text]);
          answered += before ? 1 : 0;
        }
        total += keys.length;
      } finally {
        await service.script.kill();
      }
    }
    expect(answered).toBeLessThan(total);
    expect((await tenant.api.get('/testimonials')).body.pagination.total).toBe(total);
    expect(await tenant.events()).toHaveLength(total);
  },
  minute,
);

async function expectExactlyOne(tenant: Tenant, key: string, json: unknown): Promise<void> {
  const { status, text } = await retry(tenant, key, json);
  expect(status).toBe(201);
  expect((await retry(tenant, key, json)).text).toBe(text);
  const { body } = await tenant.api.get('/testimonials');
  expect(body).toMatchObject({ pagination: { total: 1 }, data: [JSON.parse(text).data] });
  expect(await tenant.events()).toHaveLength(1);
}
