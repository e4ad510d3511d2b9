import { env } from '../env';
import { log } from '../logging/log';
import { isSameSecret } from '../secrets/same-secret';
import { startDrain } from './drain';
import type { Job } from './job';

/** Below the 60 seconds that a platform gives the route. */
const cronMs = 50_000;

/**
 * Does what is due, for platforms without a long-lived process. Answers 404 where no CRON_SECRET is
 * set, 401 where the request does not carry it.
 */
export async function handleCronRequest(request: Request, jobs: readonly Job[]): Promise<Response> {
  const secret = env().CRON_SECRET;
  if (!secret) return answer(404, { error: 'CRON_SECRET is not set.' });
  if (!isSameSecret(request.headers.get('authorization') ?? '', `Bearer ${secret}`)) {
    return answer(401, { error: 'Send CRON_SECRET as a bearer token.' });
  }
  try {
    const drain = startDrain(jobs, { deadlineAt: Date.now() + cronMs });
    const { started, hasFailed } = await drain.finished;
    if (!hasFailed) return answer(200, { attempts: started });
  } catch (error) {
    log().error({ err: error }, 'cron failed');
  }
  return answer(500, { error: 'Not everything that is due could be done. The log says why.' });
}

function answer(status: number, body: Record<string, unknown>): Response {
  return Response.json(body, { status, headers: { 'Cache-Control': 'no-store' } });
}
