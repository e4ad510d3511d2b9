import { type FreshDatabase, freshDatabase } from './databases';
import { killAll } from './processes';

let passed = 0;

/** One step after the other; what follows a failed step would only fail too. */
export async function step<T>(name: string, run: () => Promise<T>): Promise<T> {
  try {
    const result = await run();
    passed += 1;
    say(`ok   ${name}`);
    return result;
  } catch (error) {
    say(`FAIL ${name}`);
    throw error;
  }
}

/**
 * Walks through steps on a fresh database, embedded or on the server of TEST_DATABASE_URL, and says how
 * many passed. A step that fails makes the exit code 1.
 */
export async function runSteps(walk: (database: FreshDatabase) => Promise<void>): Promise<void> {
  process.once('SIGINT', () => {
    killAll();
    process.exit(1);
  });
  const database = await freshDatabase(process.env.TEST_DATABASE_URL);
  try {
    await walk(database);
    say(`${passed} passed, 0 failed`);
  } catch (error) {
    say(`     ${error instanceof Error ? error.stack : error}`);
    say(`${passed} passed, 1 failed`);
    process.exitCode = 1;
  } finally {
    killAll();
    await database.remove();
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
