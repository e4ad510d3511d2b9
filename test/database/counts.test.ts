import fc from 'fast-check';
import { database } from '@/src/database/client';
import { provideEnv } from '@/src/env';
import { counted } from '@/src/testimonials/filters';
import { createTenant } from '../helpers/accounts';
import {
  type Actors,
  aChange,
  concurrent,
  createActors,
  make,
  type Outcome,
} from '../helpers/changes';
import type { Answer } from '../helpers/client';
import { insertTestimonials } from '../helpers/rows';
import { borrowTestDatabase, type TestDatabase } from '../helpers/test-database';
import { differences } from './kept-rows';

// A database of its own: it is compared as a whole, and emptied in between.
let own: TestDatabase | undefined;

beforeAll(async () => {
  own = await borrowTestDatabase();
  provideEnv({ DATABASE_URL: own.url });
});

// With what is kept, so that a test that fails is the only one. Runs also where the database has not
// started in time, and must then leave the one that all tests share alone.
afterEach(async () => {
  if (!own) return;
  await database().$executeRaw`TRUNCATE users, testimonial_counts, testimonial_texts CASCADE`;
});

afterAll(() => own?.close());

/** COUNTS_FACTOR=50 makes fifty times as many sequences. */
const factor = Number(process.env.COUNTS_FACTOR ?? 1);
const seed = process.env.FUZZ_SEED;
const runs = (numRuns: number) => ({
  numRuns: numRuns * factor,
  endOnFailure: true,
  ...(seed && { seed: Number(seed) }),
});
const limitMs = 90_000 * factor;

const types = ['text', 'video'] as const;
const statuses = ['pending', 'approved', 'rejected'] as const;

/** Every choice of one of each. */
function product<A, B, C, D>(as: A[], bs: readonly B[], cs: readonly C[], ds: D[]) {
  return as.flatMap((a) =>
    bs.flatMap((b) => cs.flatMap((c) => ds.map((d): [A, B, C, D] => [a, b, c, d]))),
  );
}

/** What the API does not answer, and what Postgres says only of a space that is gone. */
function isAllowed(outcome: Outcome): boolean {
  return typeof outcome === 'number' ? outcome < 500 : ['', '23503'].includes(outcome);
}

/** Checked now and then within a run, because comparing everything takes longer than a change. */
const checkEvery = 5;

async function deleteAccounts({ all }: Actors): Promise<void> {
  const ids = all.map(({ accountId }) => accountId);
  await database().user.deleteMany({ where: { id: { in: ids } } });
}

test(
  'whatever is changed, one after the other, the counts and texts that are kept are those there are',
  async () => {
    const changes = fc.array(aChange(), { minLength: 20, maxLength: 40, size: 'max' });
    await fc.assert(
      fc.asyncProperty(changes, async (sequence) => {
        const actors = await createActors(3);
        for (const [index, change] of sequence.entries()) {
          const outcome = await make(actors, change);
          expect([change.kind, outcome, isAllowed(outcome)]).toEqual([change.kind, outcome, true]);
          if (index % checkEvery === 0) expect(await differences()).toEqual([]);
        }
        expect(await differences()).toEqual([]);
        await deleteAccounts(actors);
        expect(await differences()).toEqual([]);
      }),
      runs(5),
    );
  },
  limitMs,
);

// An embedded database runs one statement at a time; on a server these really meet.
test(
  'and so they are after changes that meet, none of which fails for waiting in a circle',
  async () => {
    const changes = fc.array(aChange(concurrent), { minLength: 30, maxLength: 60, size: 'max' });
    await fc.assert(
      fc.asyncProperty(changes, async (together) => {
        const actors = await createActors(3);
        const outcomes = await Promise.all(together.map((change) => make(actors, change)));
        expect(outcomes.filter((outcome) => !isAllowed(outcome))).toEqual([]);
        expect(await differences()).toEqual([]);
        await deleteAccounts(actors);
      }),
      runs(4),
    );
  },
  limitMs,
);

test('nothing is left of what a TRUNCATE removes, and every account has another version', async () => {
  const versions = () => database().user.findMany({ select: { version: true } });
  await createActors(2);
  const before = await versions();
  await database().$executeRaw`TRUNCATE testimonials`;
  const all = [...before, ...(await versions())].map(({ version }) => version);
  expect(new Set(all).size).toBe(4);
  expect(await differences()).toEqual([]);
});

test('a row that is rolled back leaves counts, texts and version as they were', async () => {
  const actors = await createActors(1);
  const ids = actors.all.map(({ accountId }) => accountId);
  const version = () =>
    database().user.findMany({ where: { id: { in: ids } }, orderBy: { id: 'asc' } });
  const before = await version();
  const undone = database().$transaction(async (transaction) => {
    await transaction.testimonial.deleteMany({ where: { user_id: { in: ids } } });
    throw new Error('Undone');
  });
  await expect(undone).rejects.toThrow('Undone');
  expect([await version(), await differences()]).toEqual([before, []]);
});

describe('the total of a list', () => {
  test('is the number of rows with every combination of what can be counted', async () => {
    const { api, accountId, ...tenant } = await createTenant();
    const spaces = [await tenant.space(), await tenant.space()];
    const kinds = product(spaces, types, statuses, [null, 1, 4, 5]);
    // A different number of each, none of some.
    for (const space of spaces) {
      const rows = kinds.flatMap(([of, type, status, rating], i) =>
        of === space ? Array(i % 4).fill({ type, status, rating }) : [],
      );
      await insertTestimonials(space, rows);
    }
    const ids = [undefined, ...spaces.map(({ id }) => id)];
    const ratings = [undefined, 1, 3, 4, 5];
    expect([...counted].sort()).toEqual(['rating', 'space_id', 'status', 'type']);
    for (const filters of product(ids, [undefined, ...types], [undefined, ...statuses], ratings)) {
      const [space_id, type, status, rating] = filters;
      const where = { user_id: accountId, space_id, type, status, rating };
      const total = await database().testimonial.count({ where });
      const named = Object.entries({ space_id, type, status, rating, limit: '1' });
      const query = new URLSearchParams(named.flatMap(([k, v]) => (v ? [[k, String(v)]] : [])));
      const { body } = await api.get(`/testimonials?${query}`);
      expect([`${query}`, body.pagination.total]).toEqual([`${query}`, total]);
      expect(body.data).toHaveLength(Math.min(1, total));
    }
  });
});

describe('a change of status', () => {
  test('touches no column of any index, nor do the version and the counts that follow it', async () => {
    const rows = await database().$queryRaw<{ column: string }[]>`
      SELECT DISTINCT c.relname || '.' || a.attname AS column
      FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = ANY (ARRAY[
        'status', 'updated_at', 'event_sequence', 'version', 'testimonial_count', 'space_count', 'count'])
      WHERE a.attnum = ANY (i.indkey::int2[]) AND (c.relname IN ('testimonials', 'users')
        OR c.relname = 'testimonial_counts' AND a.attname = 'count')`;
    expect(rows).toEqual([]);
  });

  test('leaves the new version of a row on the page of the old one, so no index learns of it', async () => {
    const { api, accountId, ...tenant } = await createTenant();
    const rows = await insertTestimonials(await tenant.space(), Array(200).fill({}));
    const ids = rows.map(({ id }) => id);
    let moved = 0;
    let updated = 0;
    const count = async (change: () => Promise<Answer>) => {
      await oldVersionsAreNobodys();
      const before = await pages(accountId);
      expect((await change()).status).toBe(200);
      const after = await pages(accountId);
      updated += 1;
      moved += [...after].some(([row, page]) => before.get(row) !== page) ? 1 : 0;
    };
    for (const id of ids.filter((_, index) => index % 4 === 0)) {
      await count(() => api.patch(`/testimonials/${id}`, { status: 'approved' }));
    }
    // One of each page or two: neighbours would not all find room on their page.
    const testimonial_ids = ids.filter((_, index) => index % 20 === 1);
    const batch = { testimonial_ids, status: 'approved' };
    await count(() => api.post('/testimonials/batch/update', batch));
    expect(moved / updated).toBeLessThan(0.1);
  });
});

/**
 * Resolves once the versions that were written so far can be cleared from their pages: before that, new
 * ones may have to go elsewhere. Who else reads this database, as the server's own ANALYZE does for a
 * while, may still see them, and whoever writes in any database of the server may be older than they.
 */
async function oldVersionsAreNobodys(): Promise<void> {
  const [written] = await database().$queryRaw<{ xid: string }[]>`
    SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS xid`;
  for (let held = true; held; ) {
    const [row] = await database().$queryRaw<{ held: boolean }[]>`
      SELECT pg_snapshot_xmin(pg_current_snapshot()) < ${written?.xid}::xid8 OR EXISTS (
        SELECT FROM pg_stat_activity WHERE datname = current_database()
          AND backend_xmin IS NOT NULL AND pid <> pg_backend_pid()) AS held`;
    held = row?.held ?? false;
  }
}

/** The page on which each row of the account lies that a change of status writes. */
async function pages(accountId: string): Promise<Map<string, string>> {
  const rows = await database().$queryRaw<{ row: string; page: string }[]>`
    SELECT id::text AS row, ctid::text AS page FROM testimonials WHERE user_id = ${accountId}::uuid
    UNION ALL SELECT 'account', ctid::text FROM users WHERE id = ${accountId}::uuid
    UNION ALL SELECT concat(space_id, status, type, rating), ctid::text FROM testimonial_counts
    WHERE user_id = ${accountId}::uuid`;
  // Of "(page,place)".
  return new Map(rows.map(({ row, page }) => [row, page.split(',')[0] ?? '']));
}
