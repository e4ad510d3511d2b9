import { Prisma } from '../generated/client';

const noUuid = '00000000-0000-0000-0000-000000000000';

/**
 * A common table expression, `walk`, of a recursive statement: those who have due rows, once around,
 * each found by one step of an index, however many rows there are. It begins behind `start`, and at
 * the end begins anew, so that who comes late in the order is not always last. Whoever reads it says
 * by LIMIT how far it goes. The place where it begins, and where it begins anew, may have nothing due.
 *
 * `table` (with its alias) and `column` (whose rows they are, a uuid) are trusted text; `orderBy` is
 * what the index has behind the column, and `isWanted` whether to walk at all.
 */
export function walk(options: {
  table: `${string} ${string}`;
  column: string;
  due: Prisma.Sql;
  start: string;
  orderBy?: string[];
  isWanted?: Prisma.Sql;
}): Prisma.Sql {
  const { due, start, isWanted = Prisma.sql`true`, orderBy = [] } = options;
  const [table, column] = [Prisma.raw(options.table), Prisma.raw(options.column)];
  const alias = options.table.split(' ').at(-1);
  const owner = Prisma.raw(`${alias}.${options.column}`);
  const order = Prisma.raw(
    [options.column, ...orderBy].map((name) => `${alias}.${name}`).join(', '),
  );
  return Prisma.sql`walk (is_second_half, ${column}) AS (
      SELECT false, ${start}::uuid WHERE ${isWanted}
      UNION ALL
      SELECT next.* FROM walk CROSS JOIN LATERAL (
        (SELECT walk.is_second_half, ${owner} FROM ${table}
          WHERE ${due} AND ${owner} > walk.${column} ORDER BY ${order} LIMIT 1)
        UNION ALL
        (SELECT true, ${noUuid}::uuid WHERE NOT walk.is_second_half)
        LIMIT 1
      ) next
      WHERE NOT (next.is_second_half AND next.${column} > ${start}::uuid)
    )`;
}
