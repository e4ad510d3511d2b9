/**
 * A process of the service for tests that writes its log by itself: serves the REST API on the
 * database in its first argument, on the port that it prints. At SIGTERM it stops as the service
 * does, and says so.
 */
import { runDeferred } from '../../src/api/deferred';
import { disconnect } from '../../src/database/client';
import { provideEnv } from '../../src/env';
import { createFront } from '../../src/http/front';
import { bodyMemoryLimits, connectionLimits } from '../../src/http/limits';
import { setWorker } from '../../src/outbox/due';
import { requestLog } from '../../src/requests/request-log';
import { handleNodeRequest } from '../../src/rest/node';
import { listen } from '../helpers/listening';

const [, , DATABASE_URL, SECRET_KEY] = process.argv;
provideEnv({ DATABASE_URL, SECRET_KEY, REQUEST_LOG: 'on', LOG_LEVEL: 'silent' });
setWorker(() => {});
requestLog().start();

const front = createFront({
  handleRest: (request, response) =>
    handleNodeRequest(request, response, (task) => void runDeferred(task)),
  handleOther: async (_, response) => void response.writeHead(404).end(),
  limits: connectionLimits(1000),
  bodyMemory: bodyMemoryLimits,
});
process.on('SIGTERM', async () => {
  await front.stop();
  await requestLog().stop();
  await disconnect();
  process.stdout.write('stopped\n');
  process.exit(0);
});
void listen(front.server).then((port) => process.stdout.write(`${port}\n`));
