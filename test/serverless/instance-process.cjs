/**
 * An instance of a function, begun as a platform's launcher begins it: the build's own entry, called
 * through the interface that Next gives to adapters. Tells its parent the port that it listens on,
 * and whenever all is done that a request has left to be done after its answer. Then it stands still,
 * timers and all, until it is sent a byte; it ends with its parent.
 *
 * Arguments: the folder of the function; its entry; `leaves-outbox` to do nothing that is due, as the
 * tests of the contract do it themselves. It is no part of the function, and loads nothing but it.
 */
const { readSync } = require('node:fs');
const { createServer } = require('node:http');
const { createRequire } = require('node:module');
const { join } = require('node:path');

const [, , folder, entry, outbox] = process.argv;
process.chdir(folder);
const load = createRequire(join(folder, 'launcher.cjs'));
load('next/setup-node-env');
if (outbox === 'leaves-outbox') {
  globalThis[Symbol.for('testimonials.due')] = { worker: () => {} };
}
const { handler } = load(`./${entry}`);
const loadedMs = performance.now();

const server = createServer(async (request, response) => {
  const left = [];
  const waitUntil = (task) => {
    left.push(task);
  };
  try {
    await handler(request, response, { waitUntil, requestMeta: { relativeProjectDir: '.' } });
  } catch {
    // As platforms do; of ours nothing throws, but Next does before it asks the route.
    if (response.headersSent) response.destroy();
    else response.writeHead(500, { 'content-type': 'text/plain' }).end('Internal Server Error');
  }
  // What waits may leave more to wait for.
  for (const task of left) await task;
  const { user, system } = process.cpuUsage();
  const taken = { cpuMs: (user + system) / 1000, memoryBytes: process.memoryUsage().rss };
  process.send(taken, standStill);
});

function standStill() {
  if (readSync(0, Buffer.alloc(1)) === 0) process.exit();
}

process.once('disconnect', () => process.exit());
// While it stands still nobody could hear that a connection is over.
server.keepAliveTimeout = 0;
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port, loadedMs }));
