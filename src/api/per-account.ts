import { createFairPlaces } from '../fair-places';

/** Runs a task of an account, or waits for those before it. */
export type PerAccount = <T>(accountId: string, task: () => Promise<T>) => Promise<T>;

/** Asked for more at once than an account may have waiting, or for longer than it may wait. */
export class TooMuchAtOnceError extends Error {
  override name = 'TooMuchAtOnceError';
}

/**
 * Lets `atOnce` tasks of each account run at a time in this process. Others of the same account wait
 * in the order of arrival, and no account waits for another.
 *
 * What it returns throws TooMuchAtOnceError, and runs nothing, where `waiting` tasks of the account
 * wait already, or after `waitMs`.
 */
export function perAccount({
  atOnce,
  waiting,
  waitMs,
}: {
  atOnce: number;
  waiting: number;
  waitMs: number;
}): PerAccount {
  const places = createFairPlaces({ perKey: atOnce, waitingPerKey: waiting });
  return async (accountId, task) => {
    const leave = await places
      .enter(accountId, AbortSignal.timeout(waitMs))
      .catch((cause: unknown) => {
        throw new TooMuchAtOnceError(`no task of the account ended in ${waitMs} ms`, { cause });
      });
    if (!leave) throw new TooMuchAtOnceError(`${waiting} tasks of the account wait already`);
    try {
      return await task();
    } finally {
      leave();
    }
  };
}
