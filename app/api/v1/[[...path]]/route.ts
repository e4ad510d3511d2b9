import { after } from 'next/server';
import { runDeferred } from '@/src/api/deferred';
import { drainOnDemand } from '@/src/background/drain';
import { handleWebRequest } from '@/src/rest/web';

export const dynamic = 'force-dynamic';
// Long enough to transcribe a video (190 s at most), and for what follows the answer: the first
// attempt at the deliveries of a write.
export const maxDuration = 250;

drainOnDemand(() => import('@/src/jobs'));

function handle(request: Request): Promise<Response> {
  return handleWebRequest(request, (task) => after(() => runDeferred(task)));
}

// Next answers a verb that is not exported by itself, without a body.
export {
  handle as DELETE,
  handle as GET,
  handle as HEAD,
  handle as OPTIONS,
  handle as PATCH,
  handle as POST,
  handle as PUT,
};
