import fc from 'fast-check';
import { sortKey } from '@/src/api/cursor';
import { pool } from '@/src/database/client';
import { createTenant } from '../helpers/accounts';
import { insertTestimonials, type TestimonialRow } from '../helpers/rows';

/** CURSOR_FACTOR=20 runs twenty times as many; FUZZ_SEED repeats what a failure printed. */
const factor = Number(process.env.CURSOR_FACTOR ?? 1);
const seed = process.env.FUZZ_SEED;

/** What a row begins with; few values, so that most are tied. */
const aRow = fc.record({
  rating: fc.constantFrom(null, null, 1, 3, 5),
  shares: fc.nat(2),
  status: fc.constantFrom('pending', 'approved'),
  text_content: fc.constantFrom('What a service', null),
  created_at: fc.nat(3).map((n) => `2026-01-15T10:30:00.12345${n}Z`),
  updated_at: fc.nat(3).map((n) => `2026-01-15T10:30:00.00000${n}Z`),
});

const aWalk = fc.record({
  sort_by: fc.constantFrom(...sortKey.options),
  sort_order: fc.constantFrom('asc', 'desc'),
  limit: fc.integer({ min: 1, max: 6 }),
  filter: fc.constantFrom<object>({}, {}, { status: 'approved' }, { search: 'service' }),
});

/** What happens between two pages; `row` says to which of the rows there are. */
const aMove = fc.oneof(
  fc.record({ kind: fc.constant('insert' as const), values: aRow }),
  fc.record({ kind: fc.constant('delete' as const), row: fc.nat(100) }),
  fc.record({
    kind: fc.constantFrom('status' as const, 'rating' as const, 'shares' as const),
    row: fc.nat(100),
    values: aRow,
  }),
);

type Move = typeof aMove extends fc.Arbitrary<infer T> ? T : never;

/** Every row there ever was, and whether it has kept its place and stayed in the list since. */
type Tracked = { row: TestimonialRow; isThere: boolean; isFromStart: boolean; hasMoved: boolean };

async function make(
  move: Move,
  tracked: Tracked[],
  space: { id: string; user_id: string },
  watched: string[],
): Promise<void> {
  if (move.kind === 'insert') {
    const [row] = await insertTestimonials(space, [move.values]);
    if (row) tracked.push({ row, isThere: true, isFromStart: false, hasMoved: false });
    return;
  }
  const there = tracked.filter(({ isThere }) => isThere);
  const chosen = there[move.row % Math.max(1, there.length)];
  if (!chosen) return;
  const { id } = chosen.row;
  if (move.kind === 'delete') {
    chosen.isThere = false;
    await pool().query('DELETE FROM testimonials WHERE id = $1', [id]);
    return;
  }
  const value = move.values[move.kind];
  // A write is always another updated_at.
  const isMoved = watched.includes('updated_at') || watched.includes(move.kind);
  if (isMoved) chosen.hasMoved = true;
  await pool().query(`UPDATE testimonials SET ${move.kind} = $2 WHERE id = $1`, [id, value]);
}

test(
  'a row that stays, and stays where it is, comes exactly once, whatever else moves',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        aWalk,
        fc.array(aRow, { maxLength: 30, size: 'max' }),
        fc.array(fc.array(aMove, { maxLength: 3 }), { maxLength: 12, size: 'max' }),
        async ({ filter, ...rest }, rows, turns) => {
          const tenant = await createTenant();
          const space = await tenant.space();
          const inserted = await insertTestimonials(space, rows);
          const tracked = inserted.map(
            (row): Tracked => ({ row, isThere: true, isFromStart: true, hasMoved: false }),
          );
          const query = { ...rest, ...filter, space_id: space.id };
          const watched = [rest.sort_by, ...Object.keys(filter)];
          const seen: string[] = [];
          const moves = [...turns];
          for (let cursor: string | null = 'start'; cursor !== null; ) {
            const parameters = Object.entries({ ...query, cursor });
            const search = new URLSearchParams(parameters.map(([k, v]) => [k, String(v)]));
            const answer = await tenant.api.get(`/testimonials?${search}`);
            if (answer.status !== 200) throw new Error(`${search}: ${answer.text}`);
            seen.push(...answer.body.data.map(({ id }: { id: string }) => id));
            cursor = answer.body.pagination.next_cursor;
            for (const move of moves.shift() ?? []) await make(move, tracked, space, watched);
          }
          const times = (id: string) => seen.filter((one) => one === id).length;
          for (const { row, isThere, isFromStart, hasMoved } of tracked) {
            if (hasMoved) continue;
            const isListed = Object.entries(filter).every(([name, value]) =>
              name === 'search' ? row.text_content !== null : row[name] === value,
            );
            const comes = times(row.id);
            expect([row.id, comes <= 1]).toEqual([row.id, true]);
            if (isThere && isFromStart) expect([row.id, comes]).toEqual([row.id, isListed ? 1 : 0]);
          }
        },
      ),
      {
        numRuns: 40 * factor,
        ...(seed && { seed: Number(seed) }),
        interruptAfterTimeLimit: 60_000 * factor,
      },
    );
  },
  120_000 * factor,
);
