/**
 * A process of the service for tests, with a cache of its own: serves the REST API on the database
 * in its first argument, on the port that it prints, until it is killed.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runDeferred } from '../../src/api/deferred';
import { provideEnv } from '../../src/env';
import { setWorker } from '../../src/outbox/due';
import { handleNodeRequest } from '../../src/rest/node';

const [, , DATABASE_URL, SECRET_KEY] = process.argv;
provideEnv({ DATABASE_URL, SECRET_KEY, RATE_LIMIT_REQUESTS: '1000000', LOG_LEVEL: 'silent' });
setWorker(() => {});

const server = createServer((request, response) => {
  void handleNodeRequest(request, response, (task) => void runDeferred(task));
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
