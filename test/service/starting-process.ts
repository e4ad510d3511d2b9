/**
 * A primary process with two workers. One answers; the other is still loading, and looks at nothing.
 * Once "stop" is read, prints whether all have ended in order, as JSON.
 */
import cluster from 'node:cluster';
import { once } from 'node:events';
import { startWorkers } from '../../src/service/workers/primary';

async function main(): Promise<void> {
  const online: Promise<unknown>[] = [];
  cluster.on('fork', (worker) => online.push(once(worker, 'online')));
  const { stop } = await startWorkers(2);
  await Promise.all(online);
  process.stdout.write('ready\n');
  await once(process.stdin, 'data');
  process.stdout.write(`${JSON.stringify(await stop())}\n`);
  process.exit(0);
}

function work(): void {
  if (process.env.WORKER_NUMBER !== '1') {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  }
  process.on('SIGTERM', () => process.exit(0));
  process.send?.({ kind: 'ready', port: 1 });
}

if (cluster.isPrimary) void main();
else work();
