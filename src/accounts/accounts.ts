import { randomUUID } from 'node:crypto';
import { hashPassword } from 'better-auth/crypto';
import { z } from 'zod';
import { text } from '../api/fields';
import { database } from '../database/client';
import { Prisma } from '../database/generated/client';
import { env } from '../env';
import type { account } from './schema';

export const createAccountInput = z.object({
  email: z.email('must be an e-mail address').toLowerCase(),
  password: z
    .string()
    .min(8, 'must have at least 8 characters')
    .max(128, 'must have at most 128 characters'),
  name: text(1, 100).optional(),
});

/** Thrown where the e-mail address already has an account. */
export class EmailTakenError extends Error {
  override name = 'EmailTakenError';
}

/**
 * Creates an account that signs in with a password, also where sign-up is closed. Returns its id.
 * Needs no secret and none of better-auth's start: the rows and the form of the digest are its own.
 * @throws EmailTakenError
 */
export async function createAccount(input: z.output<typeof createAccountInput>): Promise<string> {
  const { email, name = email } = input;
  const id = randomUUID();
  const password = await hashPassword(input.password);
  const signInMethods = { create: { accountId: id, providerId: 'credential', password } };
  try {
    // One call, and so one transaction: an account without its password could not be made again.
    await database().user.create({
      data: { id, email, name, plan: env().DEFAULT_PLAN, signInMethods },
    });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new EmailTakenError(`There is already an account for ${email}.`, { cause: error });
  }
  return id;
}

/** The id of the account with this e-mail address, in lower case; undefined where there is none. */
export async function accountIdOf(email: string): Promise<string | undefined> {
  const account = await database().user.findUnique({ where: { email }, select: { id: true } });
  return account?.id;
}

function isUniqueViolation(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002';
}

/** What the dashboard shows of the account. @throws Error where there is none */
export async function getAccount(accountId: string): Promise<z.infer<typeof account>> {
  const { email, plan, storedBytes } = await database().user.findUniqueOrThrow({
    where: { id: accountId },
    select: { email: true, plan: true, storedBytes: true },
  });
  return {
    email,
    plan,
    stored_bytes: Number(storedBytes),
    quota_bytes: env().ACCOUNT_QUOTA_BYTES,
  };
}
