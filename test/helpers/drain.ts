import { startDrain } from '@/src/background/drain';
import { promptJobs } from '@/src/jobs';

/** Does everything that is due at `now`. Retries come without jitter. */
export async function drainAt(now?: Date): Promise<number> {
  const options = { deadlineAt: Date.now() + 60_000, now, random: () => 0.5 };
  const { started, hasFailed } = await startDrain(promptJobs, options).finished;
  expect(hasFailed).toBe(false);
  return started;
}
