/**
 * A primary process, by its argument:
 * - "hanging": the second of its two workers hangs once it has begun; the signal by which it ends is
 *   printed, and that another answers.
 * - "restarting": it is told to replace its one worker, three times at once.
 * - "leaving": its one worker hangs, and it ends without waiting for it.
 * But for the last, once "stop" is read, prints whether all have ended in order, as JSON.
 */
import cluster from 'node:cluster';
import { once } from 'node:events';
import { startWorkers } from '../../src/service/primary';

/** Nobody ends one that hangs where the test fails. */
const hangsForMs = 100_000;

const mode = process.argv[2];
const print = (line: string) => process.stdout.write(`${line}\n`);

async function main(): Promise<void> {
  const { stop } = await (mode === 'hanging' ? startWorkers(2, { pulseMs: 100 }) : startWorkers(1));
  if (mode === 'hanging') {
    const [, , signal] = await once(cluster, 'exit');
    process.env.HAS_HUNG = 'yes';
    print(signal);
    const [next] = await once(cluster, 'fork');
    await once(next, 'message');
    print('another answers');
  } else if (mode === 'restarting') {
    for (let times = 0; times < 3; times += 1) process.emit('SIGHUP');
  } else {
    void stop();
    print('leaving');
    process.exit(1);
  }
  await once(process.stdin, 'data');
  print(JSON.stringify(await stop()));
  process.exit(0);
}

function work(): void {
  process.on('SIGTERM', () => process.exit(0));
  process.on('message', () => process.send?.({ kind: 'pulse' }));
  process.send?.({ kind: 'ready', port: 1 });
  const isSecond = process.env.WORKER_NUMBER === '2' && process.env.HAS_HUNG === undefined;
  if (mode === 'leaving' || (mode === 'hanging' && isSecond)) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, hangsForMs);
  }
}

if (cluster.isPrimary) void main();
else work();
