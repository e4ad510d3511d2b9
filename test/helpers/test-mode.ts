import { testAccountIdOf } from '@/src/accounts/test-account';
import { modeHeader } from '@/src/mode';
import { callTrpc, signUp } from './session';

type Person = Awaited<ReturnType<typeof signUp>>;

/** What a page sends that shows test data. */
const showsTest = { [modeHeader]: 'test' };

/** Puts the session in test mode. Returns its cookie, with what a page then says, and the account of its rows. */
export async function intoTestMode({ cookie, accountId: liveAccountId }: Person) {
  const { data, text } = await callTrpc('mutation', 'testMode.set', { mode: 'test' }, { cookie });
  if (data?.mode !== 'test') throw new Error(`Test mode: ${text}`);
  const accountId = await testAccountIdOf(liveAccountId);
  if (!accountId) throw new Error('There is no test account');
  return { accountId, headers: { cookie, ...showsTest } };
}

/** A new person in test mode. */
export async function signUpInTestMode() {
  const person = await signUp();
  return { person, test: await intoTestMode(person) };
}
