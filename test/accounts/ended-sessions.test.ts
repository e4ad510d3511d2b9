import { sessionPrincipal } from '@/src/accounts/session';
import { database } from '@/src/database/client';
import { during, onServer } from '../helpers/locks';
import { callTrpc, signUp } from '../helpers/session';

const endAll = 'DELETE FROM sessions WHERE user_id = $1';

/** A person whose session is prolonged by its next use. */
async function seenLongAgo() {
  const person = await signUp();
  const expiresAt = new Date(Date.now() + 3_600_000);
  await database().session.updateMany({ where: { userId: person.accountId }, data: { expiresAt } });
  return person;
}

onServer('a session that ends as it is prolonged is over', async () => {
  const { accountId, cookie } = await seenLongAgo();
  const answer = await during([endAll, accountId], () =>
    callTrpc('query', 'account.get', undefined, { cookie }),
  );
  expect(answer.status).toBe(401);
});

onServer('nobody is signed in by a session that ends as it is prolonged', async () => {
  const { accountId, cookie } = await seenLongAgo();
  const headers = new Headers({ cookie });
  const principal = during([endAll, accountId], () => sessionPrincipal(headers, new Headers()));
  expect(await principal).toBeNull();
});
