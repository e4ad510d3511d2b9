import { after } from 'next/server';
import { handleAuthRequest } from '@/src/accounts/auth/requests';
import { withCappedBody } from '@/src/api/body';
import { runDeferred } from '@/src/api/deferred';
import { drainOnDemand } from '@/src/background/drain';
import { announceDue } from '@/src/outbox/due';

export const dynamic = 'force-dynamic';
export const maxDuration = 60;

drainOnDemand(() => import('@/src/jobs'));

function handle(request: Request): Promise<Response> {
  return withCappedBody(request, async (capped) => {
    const answer = await handleAuthRequest(capped);
    // A mail may have been queued. After every answer, or its time would tell of which.
    after(() => runDeferred(() => announceDue()));
    return answer;
  });
}

export { handle as GET, handle as POST };
