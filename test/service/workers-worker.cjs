// A worker of `workers-process.ts`, by the same argument. Plain JavaScript, which starts at a fifth of the cost.
const { createServer } = require('node:net');

/** Nobody ends one that hangs where the test fails. */
const hangsForMs = 100_000;

const mode = process.argv[2];

process.on('SIGTERM', () => process.exit(0));
process.on('message', () => process.send({ kind: 'pulse' }));
if (mode === 'crowded' || mode === 'crowded-by-one') greet();
else work();

function greet() {
  const server = createServer((socket) => {
    socket.write('welcome');
    socket.once('data', () => {
      socket.write('hanging');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, hangsForMs);
    });
  });
  server.listen(0, '127.0.0.1', () => {
    process.send({ kind: 'ready', port: server.address().port });
  });
}

function work() {
  const isFaulty = process.env.WORKER_NUMBER === '2' && process.env.IS_MENDED === undefined;
  if ((mode === 'failing' && isFaulty) || process.env.IS_BROKEN) process.exit(1);
  process.send({ kind: 'ready', port: 1 });
  if (mode === 'leaving' || (mode === 'hanging' && isFaulty)) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, hangsForMs);
  }
}
