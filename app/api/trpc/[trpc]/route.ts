import { after } from 'next/server';
import { handleDashboardRequest } from '@/src/api/dashboard';
import { runDeferred } from '@/src/api/deferred';

export const dynamic = 'force-dynamic';
export const maxDuration = 60;

function handle(request: Request): Promise<Response> {
  return handleDashboardRequest(request, (task) => after(() => runDeferred(task)));
}

export { handle as GET, handle as POST };
