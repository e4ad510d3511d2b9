import { randomUUID } from 'node:crypto';
import { createAccount } from '../helpers/accounts';
import { callerOf } from '../helpers/caller';

/** The webhook procedures as a person signed in to the account calls them. */
export const webhooksOf = (accountId: string) => callerOf(accountId).webhooks;

export type Webhooks = ReturnType<typeof webhooksOf>;

/** The webhook procedures of a new account. */
export async function newWebhooks(): Promise<Webhooks> {
  return webhooksOf(await createAccount());
}

export const somewhere = 'https://receiver.example/webhooks';
export const unknownId = randomUUID();
