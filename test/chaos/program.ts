import { inspect } from 'node:util';
import { killAll } from '../smoke/processes';
import { endPrograms } from './servers';

/**
 * Runs a script that starts services and servers: whether it ends, throws or is stopped by a signal,
 * they are ended with it. `endOthers` ends what else it has started. An error makes the exit code 1.
 */
export function runProgram(main: () => Promise<void>, endOthers: () => void = () => {}): void {
  const cleanUp = () => {
    killAll();
    endOthers();
    endPrograms();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      cleanUp();
      process.exit(1);
    });
  }
  main()
    .catch((error: unknown) => {
      process.stderr.write(`${inspect(error)}\n`);
      process.exitCode = 1;
    })
    .finally(() => {
      cleanUp();
      process.exit();
    });
}
