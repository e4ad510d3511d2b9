import { randomUUID } from 'node:crypto';
import { confirmEmail } from '@/src/accounts/email';
import { readLink } from '@/src/accounts/links';
import { resetPassword } from '@/src/accounts/password';
import type { LinkPurpose } from '@/src/accounts/schema';
import { database } from '@/src/database/client';
import { createAccount } from '../helpers/accounts';
import { during, onServer } from '../helpers/locks';
import { openedLink } from './link';

/** As a later mail of the same purpose has it: another link, to another address. */
const renew = `
  UPDATE account_links SET digest = $3, email = $3 || '@example.com'
  WHERE user_id = $1 AND purpose = $2`;

/** Uses a link up while another process puts a later one in its place. */
async function useWhileRenewed(
  purpose: LinkPurpose,
  use: (token: string) => Promise<boolean>,
): Promise<{ accountId: string; isUsed: boolean; digest: string }> {
  const accountId = await createAccount();
  const token = await openedLink(accountId, purpose);
  const digest = randomUUID();
  const isUsed = await during([renew, accountId, purpose, digest], () => use(token));
  return { accountId, isUsed, digest };
}

onServer('a link that a later one replaces as it is used confirms no address', async () => {
  const { accountId, isUsed, digest } = await useWhileRenewed('confirm-email', confirmEmail);
  expect(isUsed).toBe(false);
  const where = { email: `${digest}@example.com` };
  expect(await database().user.count({ where })).toBe(0);
  expect(await database().accountLink.count({ where: { userId: accountId, digest } })).toBe(1);
});

onServer('a link that a later one replaces as it is used sets no password', async () => {
  const set = (token: string) => resetPassword(token, 'another battery');
  const { accountId, isUsed, digest } = await useWhileRenewed('reset-password', set);
  expect(isUsed).toBe(false);
  expect(await database().accountLink.count({ where: { userId: accountId, digest } })).toBe(1);
});

onServer('of a link that is used twice at once, one finds it', async () => {
  const accountId = await createAccount();
  const tokens = [
    await openedLink(accountId, 'confirm-email'),
    await openedLink(accountId, 'reset-password'),
  ];
  const [confirming = '', resetting = ''] = tokens;
  const used = await Promise.all([
    confirmEmail(confirming),
    resetPassword(resetting, 'another battery'),
    confirmEmail(confirming),
  ]);
  expect(used.filter(Boolean)).toHaveLength(1);
});

test('a link that a clock was ahead for is good for nothing once that is set right', async () => {
  const accountId = await createAccount();
  const used: unknown[] = [];
  for (const purpose of ['confirm-email', 'reset-password'] as const) {
    const token = await openedLink(accountId, purpose);
    await database().$executeRaw`
      UPDATE account_links SET requested_at = requested_at + interval '30 days',
        expires_at = expires_at + interval '30 days'
      WHERE user_id = ${accountId}::uuid`;
    used.push((await readLink(token, purpose)) !== undefined, await confirmEmail(token));
    used.push(await resetPassword(token, 'another battery'));
  }
  expect(used).toEqual([false, false, false, false, false, false]);
});
