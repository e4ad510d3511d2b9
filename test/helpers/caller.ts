import { scope } from '@/src/api/scopes';
import { appRouter } from '@/src/router';

/** The procedures as a person signed in to the account calls them. */
export function callerOf(accountId: string) {
  return appRouter.createCaller({
    principal: { accountId, scopes: scope.options, via: 'session' },
  });
}
