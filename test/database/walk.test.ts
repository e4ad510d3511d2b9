import { database } from '@/src/database/client';
import { Prisma } from '@/src/database/generated/client';
import { walk } from '@/src/database/sql/walk';

const idOf = (number: number) => `00000000-0000-0000-0000-00000000000${number}`;

/** Whose due rows a walk from `start` finds, in its order. */
async function walkOver(numbers: number[], start: number): Promise<number[]> {
  const rows = numbers.map((number) => `('${idOf(number)}'::uuid)`).join(', ');
  const table = `(VALUES ${rows}) AS rows (owner), LATERAL (SELECT rows.owner) r` as const;
  const due = Prisma.sql`true`;
  const found = await database().$queryRaw<{ owner: string }[]>`
    WITH RECURSIVE ${walk({ table, column: 'owner', due, start: idOf(start) })}
    SELECT owner FROM walk OFFSET 1`;
  // The place where it begins anew has nothing due.
  return found.map(({ owner }) => Number(owner.at(-1))).filter((number) => number > 0);
}

test('a walk begins behind its start, goes once around, and ends with it', async () => {
  expect(await walkOver([1, 3, 3, 5, 7], 3)).toEqual([5, 7, 1, 3]);
  expect(await walkOver([1, 3, 5], 4)).toEqual([5, 1, 3]);
  expect(await walkOver([3], 3)).toEqual([3]);
  expect(await walkOver([1, 3], 9)).toEqual([1, 3]);
});
