import { randomUUID } from 'node:crypto';
import { resetPassword } from '@/src/accounts/password';
import { setMode, testAccountIdOf } from '@/src/accounts/test-account';
import type { Actor } from '@/src/audit/actor';
import { database } from '@/src/database/client';
import { createAccount } from '../helpers/accounts';
import { callerOf } from '../helpers/caller';
import { onServer } from '../helpers/locks';
import { withOwnDatabase } from '../helpers/own-database';
import { askAuth, password, signUp } from '../helpers/session';
import { openMailServer, tokenIn } from '../mail/mail-server';
import { closeMailServers, drainMails, setMailServer } from '../mail/mailing';
import { somewhere } from '../webhooks/dashboard';
import { openedLink } from './link';

withOwnDatabase();

afterEach(closeMailServers);

const address = '203.0.113.7';

/** An account with keys and endpoints in both modes, and the link of a mail for a new password. */
async function askedForReset() {
  const server = await openMailServer();
  setMailServer(server);
  const { accountId, email } = await signUp();
  const session = await database().session.findFirstOrThrow({ where: { userId: accountId } });
  await setMode({ id: session.id, ownerId: accountId, mode: 'test' });
  const testAccountId = await testAccountIdOf(accountId);
  if (!testAccountId) throw new Error('There is no test account.');
  for (const id of [accountId, testAccountId]) await fill(id);
  await askAuth('/request-password-reset', { email });
  await drainMails();
  return { accountId, testAccountId, email, token: tokenIn(server.received.at(-1)) };
}

/** A key and an endpoint that are on, and one of each that is off. */
async function fill(accountId: string) {
  const { apiKeys, webhooks } = callerOf(accountId);
  await apiKeys.create({ name: 'On', scopes: ['read'] });
  const { id } = await apiKeys.create({ name: 'Off', scopes: ['read'] });
  await apiKeys.update({ id, enabled: false });
  const endpoint = { url: somewhere, event_types: ['space.created' as const] };
  await webhooks.endpoints.create(endpoint);
  await webhooks.endpoints.create({ ...endpoint, enabled: false });
  await database().auditEntry.deleteMany({ where: { userId: accountId } });
}

async function stateOf(accountId: string) {
  const where = { userId: accountId };
  const keys = await database().apiKey.findMany({ where });
  const endpoints = await database().webhookEndpoint.findMany({ where });
  const entries = await database().auditEntry.findMany({ where });
  return {
    keysOn: keys.filter(({ enabled }) => enabled).length,
    endpointsOn: endpoints.filter(({ enabled }) => enabled).length,
    told: entries
      .map(({ action, actorType, actorName, actorAddress }) =>
        [action, actorType, actorName, actorAddress].join(' '),
      )
      .sort(),
  };
}

const reset = (token: string, more: object = {}) =>
  askAuth(
    '/reset-password',
    { token, newPassword: 'another battery staple', ...more },
    { 'x-forwarded-for': address },
  );

test('who sets a new password by a link may switch off all keys and endpoints, of both modes', async () => {
  const { accountId, testAccountId, email, token } = await askedForReset();
  const neighbour = await createAccount();
  await fill(neighbour);
  expect((await reset(token, { switchOffAll: true })).status).toBe(200);
  const told = [`paused session ${email} ${address}`, `switched_off session ${email} ${address}`];
  const off = { keysOn: 0, endpointsOn: 0, told };
  expect(await stateOf(accountId)).toEqual(off);
  expect(await stateOf(testAccountId)).toEqual(off);
  expect(await stateOf(neighbour)).toEqual({ keysOn: 1, endpointsOn: 1, told: [] });
});

test('else keys and endpoints go on as they were', async () => {
  const { accountId, testAccountId, token } = await askedForReset();
  expect((await reset(token)).status).toBe(200);
  const on = { keysOn: 1, endpointsOn: 1, told: [] };
  expect(await stateOf(accountId)).toEqual(on);
  expect(await stateOf(testAccountId)).toEqual(on);
});

test('a link that was used switches nothing off', async () => {
  const { accountId, token, email } = await askedForReset();
  expect((await reset(token)).status).toBe(200);
  expect((await reset(token, { switchOffAll: true })).status).toBe(410);
  expect((await reset(randomUUID(), { switchOffAll: true })).status).toBe(410);
  expect(await stateOf(accountId)).toEqual({ keysOn: 1, endpointsOn: 1, told: [] });
  expect((await askAuth('/sign-in/email', { email, password })).status).toBe(401);
});

onServer(
  'keys and endpoints are changed while all are switched off, and none ends in a deadlock',
  async () => {
    for (let round = 0; round < 20; round++) {
      const userId = await createAccount();
      const { apiKeys, webhooks } = callerOf(userId);
      const token = await openedLink(userId, 'reset-password');
      const first = await apiKeys.create({ name: 'A', scopes: ['read'] });
      const second = await apiKeys.rotate({ id: first.id, overlap_hours: 24 });
      const endpoint = { url: somewhere, event_types: ['space.created' as const] };
      const endpoints = await Promise.all([1, 2].map(() => webhooks.endpoints.create(endpoint)));
      const everythingOffBy: Actor = { type: 'session', sessionId: undefined, address };
      const [isReset] = await Promise.all([
        resetPassword(token, password, { everythingOffBy }),
        ...endpoints.flatMap(({ id }) => [
          webhooks.endpoints.update({ id, description: 'Another' }),
          webhooks.endpoints.rotateSecret({ id }),
        ]),
        ...[first, second].flatMap(({ id }) => [
          apiKeys.update({ id, name: 'B' }),
          apiKeys.rotate({ id, overlap_hours: 1 }),
        ]),
      ]);
      expect(isReset).toBe(true);
      expect((await stateOf(userId)).endpointsOn).toBe(0);
    }
  },
);
