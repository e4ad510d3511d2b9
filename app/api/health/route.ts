import { answerHealth } from '@/src/api/health';

export const dynamic = 'force-dynamic';

export function GET(): Promise<Response> {
  return answerHealth();
}
