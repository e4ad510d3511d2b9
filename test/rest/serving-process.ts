/**
 * A process of the service for tests, with a cache of its own: serves the REST API on the database
 * in its first argument, with the SECRET_KEY in its second and more of the environment as JSON in its
 * third, on the port that it prints, until it is killed.
 */
import { createServer } from 'node:http';
import { z } from 'zod';
import { runDeferred } from '../../src/api/deferred';
import { provideEnv } from '../../src/env';
import { setWorker } from '../../src/outbox/due';
import { handleNodeRequest } from '../../src/rest/node';
import { listen } from '../helpers/listening';

const [, , DATABASE_URL, SECRET_KEY, more = '{}'] = process.argv;
provideEnv({
  DATABASE_URL,
  SECRET_KEY,
  RATE_LIMIT_REQUESTS: '1000000',
  LOG_LEVEL: 'silent',
  ...z.record(z.string(), z.string()).parse(JSON.parse(more)),
});
setWorker(() => {});

const server = createServer((request, response) => {
  void handleNodeRequest(request, response, (task) => void runDeferred(task));
});
void listen(server).then((port) => process.stdout.write(`${port}\n`));
