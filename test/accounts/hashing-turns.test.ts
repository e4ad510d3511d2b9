import { randomUUID } from 'node:crypto';
import { inHashingTurn, waitingOfClient } from '@/src/accounts/auth/hashing-turns';
import { countTry, giveBack, type Try, tryLimits } from '@/src/accounts/auth/throttle';
import { promised } from '../helpers/promised';
import { askAuth, password, signUp } from '../helpers/session';

const part = () => (1 + Math.floor(Math.random() * 0xfffe)).toString(16);
const newAddress = () => `2001:db8:${part()}:${part()}::1`;
const from = (address: string) => ({ 'x-forwarded-for': address });
const requestFrom = (address: string, signal?: AbortSignal) =>
  new Request('http://localhost', { headers: from(address), ...(signal && { signal }) });

const newTry = (address: string): Try => ({
  action: 'sign-in',
  account: `${randomUUID()}@example.com`,
  headers: new Headers(from(address)),
});

/** Nobody has counted it. */
const noTry: Try = { action: 'use-link', headers: new Headers() };

/** Every place is taken, and as many of the address wait as may, until `end` is called. */
function everyTurnTaken(address: string, isKnown: boolean) {
  const { promise, resolve } = promised<void>();
  const request = requestFrom(address);
  const turns: Promise<unknown>[] = [];
  // More than there are places: whoever is too much is refused.
  for (let count = 0; count < waitingOfClient + 10; count += 1) {
    turns.push(inHashingTurn({ request, isKnown, tried: noTry }, () => promise).catch(() => {}));
  }
  return {
    end: async () => {
      resolve();
      await Promise.all(turns);
    },
  };
}

const account = () => ({ email: `${randomUUID()}@example.com`, password });

test('a few passwords are hashed at once, and one more of who is known', async () => {
  const { promise, resolve } = promised<void>();
  let underWay = 0;
  const hash = () => {
    underWay += 1;
    return promise;
  };
  const turns: Promise<void>[] = [];
  for (const isKnown of [false, true]) {
    for (let count = 0; count < 10; count += 1) {
      turns.push(
        inHashingTurn({ request: requestFrom(newAddress()), isKnown, tried: noTry }, hash),
      );
    }
  }
  await new Promise((done) => setImmediate(done));
  expect(underWay).toBe(3);
  resolve();
  await Promise.all(turns);
  expect(underWay).toBe(20);
});

test('a client with too many that wait is told to come back, and others are not', async () => {
  const flooding = newAddress();
  const { end } = everyTurnTaken(flooding, false);
  for (const path of ['/sign-up/email', '/sign-in/email']) {
    const refused = await askAuth(path, account(), from(flooding));
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(await refused.json()).toMatchObject({ code: 'OVERLOADED' });
  }
  const other = askAuth('/sign-up/email', account(), from(newAddress()));
  await end();
  expect((await other).status).toBe(200);
});

test('whoever has found no turn in ten seconds is told to come back', async () => {
  const { end } = everyTurnTaken(newAddress(), false);
  jest.useFakeTimers();
  const hash = jest.fn(async () => {});
  const request = requestFrom(newAddress());
  const turn = inHashingTurn({ request, isKnown: false, tried: noTry }, hash);
  jest.advanceTimersByTime(10_000);
  jest.useRealTimers();
  await expect(turn).rejects.toMatchObject({ apiCode: 'OVERLOADED' });
  await end();
  expect(hash).not.toHaveBeenCalled();
});

test.each(['sign-in', 'change-password'] as const)(
  'a try to %s that finds no turn does not count',
  async (action) => {
    const { email, cookie } = await signUp();
    const isKnown = action === 'change-password';
    const address = newAddress();
    const attempt = () =>
      isKnown
        ? askAuth(
            '/change-password',
            { currentPassword: password, newPassword: password },
            { ...from(address), cookie },
          )
        : askAuth('/sign-in/email', { email, password }, from(address));
    const { end } = everyTurnTaken(address, isKnown);
    for (let count = 0; count <= tryLimits[action].atAccountFromPrefix; count += 1) {
      expect((await attempt()).status).toBe(503);
    }
    await end();
    expect((await attempt()).status).toBe(200);
  },
);

test('what is given back is of the window in which it was counted', async () => {
  const tried = newTry(newAddress());
  const { atAccountFromPrefix: limit } = tryLimits['sign-in'];
  for (let count = 0; count < limit; count += 1) expect(await countTry(tried)).toBeNull();
  await giveBack(tried, { countedMsAgo: 60_000 });
  expect(await countTry(tried)).not.toBeNull();
});

test('whoever has signed in from there before waits for no stranger', async () => {
  const { email } = await signUp();
  const home = newAddress();
  expect((await askAuth('/sign-in/email', { email, password }, from(home))).status).toBe(200);
  const { end } = everyTurnTaken(home, false);
  expect((await askAuth('/sign-in/email', { email, password }, from(home))).status).toBe(200);
  await end();
});

test.each([
  ['/change-password', { currentPassword: password, newPassword: password }],
  ['/change-email', { newEmail: 'ada@example.com', password }],
  ['/delete-account', { email: 'ada@example.com', password }],
  ['/reset-password', { token: 'none', newPassword: password }],
])('%s has its turn among those who are known', async (path, body) => {
  const { cookie } = await signUp();
  const address = newAddress();
  const { end } = everyTurnTaken(address, true);
  expect((await askAuth(path, body, { ...from(address), cookie })).status).toBe(503);
  await end();
});

test('for a client that has left nothing is hashed, and its try stays counted', async () => {
  const address = newAddress();
  const tried = newTry(address);
  const { atAccountFromPrefix: limit } = tryLimits['sign-in'];
  for (let count = 0; count < limit; count += 1) expect(await countTry(tried)).toBeNull();
  const { end } = everyTurnTaken(newAddress(), false);
  const gone = new AbortController();
  const hash = jest.fn(async () => {});
  const request = requestFrom(address, gone.signal);
  const turn = inHashingTurn({ request, isKnown: false, tried }, hash);
  gone.abort();
  await expect(turn).rejects.toMatchObject({ apiCode: 'OVERLOADED' });
  await end();
  expect(hash).not.toHaveBeenCalled();
  expect(await countTry(tried)).not.toBeNull();
});
