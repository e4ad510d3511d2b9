import { meter } from '../../metrics/meter';
import { LargeReadError } from '../connections/large-reads';
import { Prisma } from '../generated/client';
import { createReplica, type ReplicaOptions, type Source } from './replica';

/**
 * Whose testimonials and spaces are read, and the version that the primary has told of the account
 * since the request came. Without one, the primary alone is asked.
 */
export type AccountState = { accountId: string; version?: string };

/**
 * A query, or one that takes a condition into its own read of the account's row in `users`, and has no
 * row where that finds none, but one at least where it does: for what is read most, where to put the
 * query into another costs a sixth more.
 */
export type AccountQuery = Prisma.Sql | ((condition: Prisma.Sql) => Prisma.Sql);

type Run<Row> = (query: Prisma.Sql, source: Source) => Promise<Row[]>;

export type Replicas = {
  /**
   * The rows of a query as they were in just that version of the account; undefined where the primary
   * has to be asked, for whatever reason. It must read nothing that may change while the version does
   * not, and each of its rows must have a value in some column.
   * @throws LargeReadError
   */
  read<Row extends object>(
    query: AccountQuery,
    of: Required<AccountState>,
    run: Run<Row>,
  ): Promise<Row[] | undefined>;
  /** Closes every connection; the next use opens new ones. */
  close(): Promise<void>;
};

/** Connects on first use. Those that are well are asked in turn. */
export function openReplicas(urls: string[], options: Omit<ReplicaOptions, 'url'>): Replicas {
  const replicas = urls.map((url) => createReplica({ ...options, url }));
  let turn = 0;

  function next() {
    for (let asked = 0; asked < replicas.length; asked += 1) {
      turn = (turn + 1) % replicas.length;
      const replica = replicas[turn];
      if (replica?.isReady()) return replica;
    }
    return undefined;
  }

  return {
    async read<Row extends object>(
      query: AccountQuery,
      of: Required<AccountState>,
      run: Run<Row>,
    ): Promise<Row[] | undefined> {
      const replica = next();
      if (!replica) {
        meter()?.replicaAsked('failed');
        return undefined;
      }
      try {
        const asked = inVersion(query, of);
        const rows = await replica.run((source) => run(asked, source));
        meter()?.replicaAsked(rows.length > 0 ? 'answered' : 'behind');
        return rows.length > 0 ? withoutNullRow(rows) : undefined;
      } catch (error) {
        if (error instanceof LargeReadError) throw error;
        meter()?.replicaAsked('failed');
        return undefined;
      }
    },
    async close() {
      await Promise.all(replicas.map((replica) => replica.close()));
    },
  };
}

/**
 * The query, out of one snapshot with the account's version: no row where it is another, and one at
 * least where it is that. A version is random and never comes back, and every change of the account's
 * testimonials and spaces makes a new one in its transaction, so it stands for what they were.
 */
function inVersion(
  query: AccountQuery,
  { accountId, version }: Required<AccountState>,
): Prisma.Sql {
  if (typeof query === 'function') return query(Prisma.sql`AND users.version = ${version}::uuid`);
  // The join has no condition, so it can only be a nested loop over the answer in its order.
  return Prisma.sql`
    SELECT answer.* FROM users u LEFT JOIN (${query}) answer ON true
    WHERE u.id = ${accountId}::uuid AND u.version = ${version}::uuid`;
}

/** Of an answer without rows the join makes one of NULLs alone. */
function withoutNullRow<Row extends object>(rows: Row[]): Row[] {
  const [first = {}] = rows;
  const isNullRow = rows.length === 1 && Object.values(first).every((value) => value === null);
  return isNullRow ? [] : rows;
}
