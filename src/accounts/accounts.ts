import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { text } from '../api/fields';
import { quotaBytes } from '../api/quota';
import { database } from '../database/client';
import type { Plan, User } from '../database/generated/client';
import { env } from '../env';
import { hashPassword } from './hashing';
import { newPassword } from './password';
import type { account } from './schema';
import { isUniqueViolation } from './unique-violation';

export const createAccountInput = z.object({
  email: z.email('must be an e-mail address').toLowerCase(),
  password: newPassword,
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

/**
 * The id of the account with this e-mail address, in lower case; undefined where there is none. A test
 * account has no address of anybody, and is never found.
 */
export async function accountIdOf(email: string): Promise<string | undefined> {
  const account = await database().user.findFirst({
    where: { email, liveUserId: null },
    select: { id: true },
  });
  return account?.id;
}

/** @throws Error where there is no such account */
export async function setPlan(accountId: string, plan: Plan): Promise<void> {
  await database().user.update({ where: { id: accountId }, data: { plan } });
}

const listedFields = {
  id: true,
  email: true,
  plan: true,
  testimonialCount: true,
  storedBytes: true,
  createdAt: true,
} as const;

export type AccountLine = Pick<User, keyof typeof listedFields>;

/** Rows held at once while all accounts are listed. */
const listPageSize = 500;

/**
 * Every account that is not closed, without test accounts, by e-mail address; read page by page, however
 * many there are.
 */
export async function* listAccounts(): AsyncGenerator<AccountLine> {
  let after: string | undefined;
  do {
    const page = await database().user.findMany({
      where: {
        closedAt: null,
        liveUserId: null,
        ...(after !== undefined && { email: { gt: after } }),
      },
      orderBy: { email: 'asc' },
      take: listPageSize,
      select: listedFields,
    });
    yield* page;
    after = page.length < listPageSize ? undefined : page.at(-1)?.email;
  } while (after !== undefined);
}

/** What the dashboard shows of a person's account, in both modes. @throws Error where there is none */
export async function getAccount(accountId: string): Promise<z.infer<typeof account>> {
  const { email, plan, storedBytes } = await database().user.findUniqueOrThrow({
    where: { id: accountId },
    select: { email: true, plan: true, storedBytes: true },
  });
  return {
    email,
    plan,
    stored_bytes: Number(storedBytes),
    quota_bytes: quotaBytes('live'),
  };
}
