import { randomUUID } from 'node:crypto';
import { sessionPrincipal } from '@/src/accounts/auth/session';
import { database } from '@/src/database/client';
import { during, onServer } from '../helpers/locks';
import { askAuth, callTrpc, signUp } from '../helpers/session';

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

test('a sign-out that the database did not take is answered as one that failed, and can be tried again', async () => {
  const { accountId, cookie } = await signUp();
  const failing = `refuse_${randomUUID().replaceAll('-', '_')}`;
  const run = (statement: string) => database().$executeRawUnsafe(statement);
  await run(`CREATE FUNCTION ${failing}() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'not now'; END $$`);
  await run(`CREATE TRIGGER ${failing} BEFORE DELETE ON sessions FOR EACH ROW
    WHEN (OLD.user_id = '${accountId}') EXECUTE FUNCTION ${failing}()`);
  const refused = await askAuth('/sign-out', {}, { cookie });
  await run(`DROP FUNCTION ${failing} CASCADE`);
  expect(refused.status).toBe(500);
  expect(refused.headers.getSetCookie()).toEqual([]);
  const headers = new Headers({ cookie });
  expect(await sessionPrincipal(headers)).not.toBeNull();
  expect((await askAuth('/sign-out', {}, { cookie })).status).toBe(200);
  expect(await sessionPrincipal(headers)).toBeNull();
});
