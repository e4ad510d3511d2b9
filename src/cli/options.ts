/** Options that several scripts take; their messages continue "--name …". */
import { z } from 'zod';
import { accountIdOf, createAccountInput } from '../accounts/accounts';
import { email, text, uuid } from '../api/fields';
import { checked } from './script';
import type { Terminal } from './terminal';

export const emailOption = z
  .string('is missing')
  .pipe(z.email('must be an e-mail address'))
  .transform((email) => email.toLowerCase());

/** Of an account that is to be made: pages take no longer one. */
export const newEmailOption = emailOption.refine(
  (given) => email.safeParse(given).success,
  'must have at most 320 characters',
);

export const nameOption = z
  .string()
  .refine((name) => text(1, 100).safeParse(name).success, 'must have 1 to 100 characters');

/** The id of a space. */
export const spaceOption = z
  .string()
  .refine((id) => uuid.safeParse(id).success, 'must be the id of a space');

/** The id of the account with an e-mail address. @throws Error where there is none */
export async function requireAccountId(email: string): Promise<string> {
  const accountId = await accountIdOf(email);
  if (accountId) return accountId;
  throw new Error(`There is no account for ${email}. Make one with "npm run account -- create".`);
}

export const formatOption = z.enum(['csv', 'jsonl'], 'must be csv or jsonl');

/** `-` stands for standard input. */
export const passwordOption = z.string('is missing');

/**
 * The password that `--password` gave or pointed to.
 * @throws UsageError
 */
export async function readPassword(option: string, terminal: Terminal): Promise<string> {
  const given = option === '-' ? await terminal.readSecret('Password: ') : option;
  return checked('password', createAccountInput.shape.password, given);
}
