import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { withDeadline } from '@/src/transcription/not-transcribed';
import { collectGarbage } from '../helpers/garbage';

const whole = new AbortController().signal;

test('a step ends when its time is over, though garbage was collected meanwhile', async () => {
  const step = { name: 'the download', timeoutMs: 200, mayPass: true };
  const running = withDeadline(step, whole, async (signal) => {
    await once(signal, 'abort');
    signal.throwIfAborted();
  });
  const ended = expect(running).rejects.toMatchObject({
    message: 'the download took too long',
    mayPass: true,
  });
  for (let count = 0; count < 3; count += 1) {
    await sleep(10);
    collectGarbage();
  }
  await ended;
});
