import { createHash, randomUUID } from 'node:crypto';
import { countTry, noteRightPassword, tryLimits } from '@/src/accounts/auth/throttle';
import { database } from '@/src/database/client';

const { atAccountFromPrefix, atAccountFromSite } = tryLimits['sign-in'];

/** A site for documentation that no other test uses, with prefixes by their number. */
function newSite() {
  const part = (1 + Math.floor(Math.random() * 0xfffe)).toString(16);
  return (prefix: number) => `2001:db8:${part}:${prefix.toString(16)}::1`;
}

const tryOf = (account: string, address: string) => ({
  action: 'sign-in' as const,
  account,
  headers: new Headers({ 'x-forwarded-for': address }),
});

/** As many wrong passwords as each prefix may send, from so many that the site has all it may have. */
async function useUp(account: string, site: (prefix: number) => string): Promise<void> {
  for (let prefix = 1; prefix <= atAccountFromSite / atAccountFromPrefix; prefix += 1) {
    for (let count = 0; count < atAccountFromPrefix; count += 1) {
      expect(await countTry(tryOf(account, site(prefix)))).toBeNull();
    }
  }
}

async function countedFromEverywhere(account: string) {
  const digest = createHash('sha256').update(account).digest('hex');
  const row = await database().signInThrottle.findUnique({
    where: { key: `sign-in|at|${digest}` },
  });
  return row?.count;
}

test('whoever has a whole site of IPv6 uses up a part of what an account has from everywhere', async () => {
  const account = `${randomUUID()}@example.com`;
  const site = newSite();
  await useUp(account, site);
  for (let prefix = 100; prefix < 110; prefix += 1) {
    expect(await countTry(tryOf(account, site(prefix)))).not.toBeNull();
  }
  expect(await countedFromEverywhere(account)).toBe(atAccountFromSite);
  expect(atAccountFromSite * 10).toBeLessThanOrEqual(tryLimits['sign-in'].atAccount);
  expect(await countTry(tryOf(account, newSite()(1)))).toBeNull();
});

test('who has signed in from there before is not held by what strangers of the same site did', async () => {
  const account = `${randomUUID()}@example.com`;
  const site = newSite();
  await noteRightPassword(tryOf(account, site(200)));
  await useUp(account, site);
  expect(await countTry(tryOf(account, site(201)))).not.toBeNull();
  expect(await countTry(tryOf(account, site(200)))).toBeNull();
});

test('an address is one account however it is typed', async () => {
  const account = `${randomUUID()}@example.com`;
  const [home] = [newSite()(1)];
  for (const typed of [account, ` ${account} `, account.toUpperCase()]) {
    await countTry(tryOf(typed, home));
  }
  expect(await countedFromEverywhere(account)).toBe(3);
});
