import { answerLive } from '@/src/database/health';

export const dynamic = 'force-dynamic';

export function GET(): Response {
  return answerLive();
}
