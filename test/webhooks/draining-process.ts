/**
 * A process for tests to kill: runs the delivery loop of a service on the database in its first
 * argument, with the SECRET_KEY in its second and more of the environment as JSON in its third, until
 * it is killed.
 */
import { z } from 'zod';
import { startLoop } from '../../src/background/loop';
import { provideEnv } from '../../src/env';
import { jobs } from '../../src/jobs';

const [, , DATABASE_URL, SECRET_KEY, more = '{}'] = process.argv;
provideEnv({
  DATABASE_URL,
  SECRET_KEY,
  ALLOW_PRIVATE_NETWORK: 'true',
  LOG_LEVEL: 'silent',
  ...z.record(z.string(), z.string()).parse(JSON.parse(more)),
});
startLoop(jobs, { isAlone: false });
process.stdout.write('running\n');
