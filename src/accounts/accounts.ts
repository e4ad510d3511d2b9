import { z } from 'zod';
import { database } from '../database/client';
import { auth } from './auth';
import type { account } from './schema';

export const createAccountInput = z.object({
  email: z.email('must be an e-mail address'),
  password: z.string().min(8, 'must have at least 8 characters').max(128),
  name: z.string().min(1).optional(),
});

/** Thrown where the e-mail address already has an account. */
export class EmailTakenError extends Error {}

/**
 * Creates an account that signs in with a password, also where sign-up is closed. Returns its id.
 * @throws EmailTakenError
 */
export async function createAccount(input: z.infer<typeof createAccountInput>): Promise<string> {
  const { internalAdapter, password } = await auth().$context;
  const email = input.email.toLowerCase();
  if (await internalAdapter.findUserByEmail(email)) {
    throw new EmailTakenError(`There is already an account for ${email}.`);
  }
  const user = await internalAdapter.createUser(
    { email, name: input.name ?? email, emailVerified: false },
    { method: 'email-password' },
  );
  await internalAdapter.linkAccount({
    userId: user.id,
    providerId: 'credential',
    accountId: user.id,
    password: await password.hash(input.password),
  });
  return user.id;
}

/** What the dashboard shows of the account. @throws Error where there is none */
export function getAccount(accountId: string): Promise<z.infer<typeof account>> {
  return database().user.findUniqueOrThrow({
    where: { id: accountId },
    select: { email: true, plan: true },
  });
}
