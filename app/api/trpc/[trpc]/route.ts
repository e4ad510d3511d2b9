import { after } from 'next/server';
import { withCappedBody } from '@/src/api/body';
import { runDeferred } from '@/src/api/deferred';
import { drainOnDemand } from '@/src/background/drain';
import { handleDashboardRequest } from '@/src/dashboard';

export const dynamic = 'force-dynamic';
export const maxDuration = 60;

drainOnDemand(() => import('@/src/jobs'));

function handle(request: Request): Promise<Response> {
  return withCappedBody(request, (capped) =>
    handleDashboardRequest(capped, (task) => after(() => runDeferred(task))),
  );
}

export { handle as GET, handle as POST };
