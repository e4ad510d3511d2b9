import { env } from '@/src/env';
import { type ScriptProcess, startScript } from '../database/processes';

export type ServingProcess = { script: ScriptProcess; port: string };

/** Two processes that serve the API on the database of the tests, each on a port of its own. */
export function startServingProcesses(): Promise<ServingProcess[]> {
  const { DATABASE_URL = '', SECRET_KEY = '' } = env();
  const scripts = [1, 2].map(() =>
    startScript('../rest/serving-process.ts', DATABASE_URL, SECRET_KEY),
  );
  return Promise.all(
    scripts.map(async (script) => ({ script, port: (await script.nextLine()) ?? '' })),
  );
}
