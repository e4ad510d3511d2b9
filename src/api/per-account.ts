type Account = { running: number; waiting: (() => void)[] };

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
export function perAccount(limits: {
  atOnce: number;
  waiting: number;
  waitMs: number;
}): PerAccount {
  const accounts = new Map<string, Account>();

  const enter = (account: Account): Promise<void> | undefined => {
    if (account.running < limits.atOnce) {
      account.running += 1;
      return undefined;
    }
    if (account.waiting.length >= limits.waiting) {
      throw new TooMuchAtOnceError(`${limits.waiting} tasks of the account wait already`);
    }
    return new Promise((resolve, reject) => {
      const start = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        account.waiting = account.waiting.filter((other) => other !== start);
        reject(new TooMuchAtOnceError(`no task of the account ended within ${limits.waitMs} ms`));
      }, limits.waitMs);
      account.waiting.push(start);
    });
  };

  const leave = (accountId: string, account: Account): void => {
    const next = account.waiting.shift();
    // Whoever is next takes over the place.
    if (next) next();
    else account.running -= 1;
    if (account.running === 0) accounts.delete(accountId);
  };

  return async (accountId, task) => {
    const account = accounts.get(accountId) ?? { running: 0, waiting: [] };
    accounts.set(accountId, account);
    await enter(account);
    try {
      return await task();
    } finally {
      leave(accountId, account);
    }
  };
}
