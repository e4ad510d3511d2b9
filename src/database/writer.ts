import { longStatement, pool, statementName, transaction } from './client';
import { Prisma } from './generated/client';

/** A statement that is all of what a procedure does, and knows what it answers. */
export type OnceStatement = {
  /**
   * The expressions of its WITH. `condition` continues that of the first, which all others read from:
   * where it is false, they must neither lock nor write anything.
   */
  expressions: (condition: Prisma.Sql) => Prisma.Sql;
  /** The columns of one of them, which has one row at most, that it returns. */
  columns: Prisma.Sql;
  from: string;
  /** The answer as text, and the expression that it is read from: a row for a row of `from`. */
  answer: { text: string; from: string };
};

/**
 * How a procedure writes. Who calls it decides whether each statement is a transaction of its own,
 * or all of them are one with something more.
 */
export type Writer = {
  /**
   * Runs a statement and resolves to the rows that it returns. One that is long may take minutes,
   * others are given five seconds.
   */
  write<Row extends object>(statement: Prisma.Sql, options?: { isLong?: boolean }): Promise<Row[]>;
  /**
   * Runs the only statement of a procedure. What a request with a key needs besides is part of it,
   * where it can be: then it is one round trip with a key and without. Resolves to its rows.
   */
  writeOnce<Row extends object>(statement: OnceStatement): Promise<Row[]>;
  /**
   * Runs statements in one transaction, each seeing what others have committed before it begins, and
   * resolves to the rows of the last.
   */
  writeInOrder<Row extends object>(statements: Prisma.Sql[]): Promise<Row[]>;
  /** Runs a task once what was written is committed, and before the answer. It may not throw. */
  afterCommit(task: () => Promise<void>): Promise<void>;
};

/** A statement without anything besides. */
export function plain({ expressions, columns, from }: OnceStatement): Prisma.Sql {
  return Prisma.sql`
    WITH ${expressions(Prisma.empty)} SELECT ${columns} FROM ${Prisma.raw(from)}`;
}

/**
 * Each statement is a transaction of its own. On Prisma's pool and past its conversions, which hold
 * the rows of a batch several times over.
 */
export const directWriter: Writer = {
  async write<Row extends object>(statement: Prisma.Sql, { isLong = false } = {}) {
    if (isLong) return longStatement<Row>(statement);
    const { text, values } = statement;
    const { rows } = await pool().query<Row>({ name: statementName(text), text, values });
    return rows;
  },
  writeOnce: (statement) => directWriter.write(plain(statement)),
  writeInOrder: <Row extends object>(statements: Prisma.Sql[]) =>
    transaction(async (client) => {
      let rows: Row[] = [];
      for (const { text, values } of statements) {
        ({ rows } = await client.query<Row>({ name: statementName(text), text, values }));
      }
      return rows;
    }),
  afterCommit: (task) => task(),
};
