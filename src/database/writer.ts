import { database } from './client';
import type { Prisma } from './generated/client';

/**
 * How a procedure writes. Who calls it decides whether each statement is a transaction of its own,
 * or all of them are one with something more.
 */
export type Writer = {
  /** Runs a statement and resolves to the rows that it returns. */
  write<Row extends object>(statement: Prisma.Sql): Promise<Row[]>;
  /** Runs a task once what was written is committed, and before the answer. It may not throw. */
  afterCommit(task: () => Promise<void>): Promise<void>;
};

/** Each statement is a transaction of its own. */
export const directWriter: Writer = {
  write: (statement) => database().$queryRaw(statement),
  afterCommit: (task) => task(),
};
