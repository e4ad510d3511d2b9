import { randomUUID } from 'node:crypto';
import { closeAccount } from '@/src/accounts/closing';
import { confirmEmail } from '@/src/accounts/email';
import { setMode } from '@/src/accounts/test-account';
import { database } from '@/src/database/client';
import { createAccount } from '@/test/helpers/accounts';
import { callerOf } from '../helpers/caller';
import { during, onServer, untilSomebodyWaits, withHolder } from '../helpers/locks';
import { withOwnDatabase } from '../helpers/own-database';
import { somewhere } from '../webhooks/dashboard';
import { openedLink } from './link';

withOwnDatabase();

/** What failed otherwise than by an answer to the client. */
async function failuresOf(tasks: Promise<unknown>[]): Promise<unknown[]> {
  const ends = await Promise.allSettled(tasks);
  return ends.flatMap((end) =>
    end.status === 'rejected' && end.reason.apiCode === undefined ? [end.reason] : [],
  );
}

onServer(
  'endpoints are changed while their account is closed, and none ends in a deadlock',
  async () => {
    for (let round = 0; round < 40; round++) {
      const accountId = await createAccount();
      const { endpoints } = callerOf(accountId).webhooks;
      const made = await Promise.all(
        [1, 2, 3].map(() => endpoints.create({ url: somewhere, event_types: ['space.created'] })),
      );
      const changes = made.flatMap(({ id }) => [
        endpoints.update({ id, description: 'Another' }),
        endpoints.rotateSecret({ id }),
        endpoints.update({ id, enabled: false }),
        endpoints.delete({ id }),
      ]);
      expect(await failuresOf([...changes, closeAccount(accountId)])).toEqual([]);
    }
  },
);

onServer(
  'keys are changed while their account is closed, and none ends in a deadlock',
  async () => {
    for (let round = 0; round < 40; round++) {
      const accountId = await createAccount();
      const keys = callerOf(accountId).apiKeys;
      const first = await keys.create({ name: 'A', scopes: ['read'] });
      const second = await keys.rotate({ id: first.id, overlap_hours: 24 });
      const changes = [first, second].flatMap(({ id }) => [
        keys.update({ id, name: 'B' }),
        keys.rotate({ id, overlap_hours: 1 }),
        keys.delete({ id }),
      ]);
      expect(await failuresOf([...changes, closeAccount(accountId)])).toEqual([]);
    }
  },
);

onServer(
  'of an account that is closed, a key that took the place of another is locked before that one',
  async () => {
    const accountId = await createAccount();
    const keys = callerOf(accountId).apiKeys;
    const first = await keys.create({ name: 'A', scopes: ['read'] });
    const second = await keys.rotate({ id: first.id, overlap_hours: 24 });
    await withHolder(async (other) => {
      // As where the second alone is deleted, which changes the first.
      await other.query('SELECT FROM api_keys WHERE id = $1 FOR UPDATE', [second.id]);
      const closed = closeAccount(accountId);
      await untilSomebodyWaits(other);
      await other.query('SELECT FROM api_keys WHERE id = $1 FOR UPDATE NOWAIT', [first.id]);
      await other.query('COMMIT');
      expect(await closed).toBe(true);
    });
  },
);

onServer(
  'a link is used and a session switched to test data while their account is closed, and none ends in a deadlock',
  async () => {
    const soon = new Date(Date.now() + 3_600_000);
    for (let round = 0; round < 60; round++) {
      const ownerId = await createAccount();
      const token = await openedLink(ownerId, 'confirm-email');
      const { id } = await database().session.create({
        data: { userId: ownerId, token, expiresAt: soon },
      });
      await setMode({ id, ownerId, mode: 'test' });
      await setMode({ id, ownerId, mode: 'live' });
      const changes = [confirmEmail(token), setMode({ id, ownerId, mode: 'test' })];
      expect(await failuresOf([...changes, closeAccount(ownerId)])).toEqual([]);
    }
  },
);

onServer('an account that is closed as its test data is asked for gets none', async () => {
  const ownerId = await createAccount();
  const soon = new Date(Date.now() + 3_600_000);
  const { id } = await database().session.create({
    data: { userId: ownerId, token: randomUUID(), expiresAt: soon },
  });
  const close = 'UPDATE users SET closed_at = now() WHERE id = $1';
  const mode = await during([close, ownerId], () => setMode({ id, ownerId, mode: 'test' }));
  expect(mode).toBe('live');
  expect(await database().user.count({ where: { liveUserId: ownerId } })).toBe(0);
});
