/**
 * A worker that does not look at what it is handed and is then killed, beside another one, or alone
 * with "alone". Twenty requests come meanwhile; what became of each is printed as JSON.
 */
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { keepHandedOver } from '../../src/service/workers/handed-over';

const requests = 20;

const untilHandedMs = 500;

async function main(): Promise<void> {
  const isAlone = process.argv[2] === 'alone';
  const [deaf, ...others] = isAlone ? [start()] : [start(), start()];
  const listening = await Promise.all([deaf, ...others].map((one) => once(one, 'listening')));
  const port: number = listening[0]?.[0].port;
  deaf.send('be deaf');
  await once(deaf, 'message');
  const outcomes = Array.from({ length: requests }, () => ask(port));
  // The other answers all but what the deaf one was handed.
  let answered = 0;
  await new Promise<void>((done) => {
    if (isAlone) setTimeout(done, untilHandedMs);
    for (const outcome of outcomes) {
      void outcome.then(() => {
        answered += 1;
        if (answered === requests - 1) done();
      });
    }
  });
  deaf.process.kill('SIGKILL');
  await once(deaf, 'exit');
  process.stdout.write(`${JSON.stringify(await Promise.all(outcomes))}\n`);
  process.exit(0);
}

function start(): Worker {
  const worker = cluster.fork();
  keepHandedOver(worker, () => Object.keys(cluster.workers ?? {}).length > 0);
  return worker;
}

function ask(port: number): Promise<string> {
  return new Promise((done) => {
    request({ port, host: '127.0.0.1', agent: false }, (response) => {
      response.resume().once('end', () => done('answered'));
    })
      .once('error', (error) => done(String(error)))
      .end();
  });
}

function work(): void {
  process.on('message', () => {
    process.send?.('deaf', () => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    });
  });
  createServer((_, response) => response.end()).listen(0, '127.0.0.1');
}

if (cluster.isPrimary) void main();
else work();
