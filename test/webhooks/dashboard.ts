import { randomUUID } from 'node:crypto';
import { appRouter } from '@/src/api/router';
import { scope } from '@/src/api-keys/schema';
import { createAccount } from '@/test/helpers/accounts';

/** The webhook procedures as a person signed in to the account calls them. */
export function webhooksOf(accountId: string) {
  return appRouter.createCaller({
    principal: { accountId, scopes: scope.options, via: 'session' },
  }).webhooks;
}

export type Webhooks = ReturnType<typeof webhooksOf>;

/** The webhook procedures of a new account. */
export async function newWebhooks(): Promise<Webhooks> {
  return webhooksOf(await createAccount());
}

export const somewhere = 'https://receiver.example/webhooks';
export const unknownId = randomUUID();
