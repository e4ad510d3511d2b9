import { randomUUID } from 'node:crypto';
import { scope } from '@/src/api/scopes';
import { appRouter } from '@/src/router';
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
