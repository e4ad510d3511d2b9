import { handleCronRequest } from '@/src/background/cron';
import { jobs } from '@/src/jobs';

export const dynamic = 'force-dynamic';
export const maxDuration = 60;

export function GET(request: Request): Promise<Response> {
  return handleCronRequest(request, jobs);
}
