import { answerReady } from '@/src/database/health';

export const dynamic = 'force-dynamic';

export function GET(): Promise<Response> {
  return answerReady();
}
