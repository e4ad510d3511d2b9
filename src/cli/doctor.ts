/** `npm run doctor`: looks at what the service stands on, and says what to mend. Changes nothing. */
import { z } from 'zod';
import { type Env, env, loadEnvFile, provideEnv } from '../env';
import { messageOf } from '../error-parts';
import { databaseChecks } from './doctor/database';
import { examine, type Finding } from './doctor/finding';
import { hiderOf } from './doctor/hiding';
import { machineChecks } from './doctor/machine';
import { replicaChecks } from './doctor/replicas';
import { serviceChecks } from './doctor/services';
import { settingsChecks } from './doctor/settings';
import { heedOutput, readOptions, sayFailure } from './script';
import { type Terminal, terminal } from './terminal';

/** For each of the things looked at. */
const limitMs = 15_000;

const marks = { well: 'ok  ', doubtful: 'look', bad: 'MEND' } as const;

const usage = `Looks at the settings, the database, the disk, and the servers that the service uses, and says
what is well, what to look at and what must be mended. It changes nothing; into a bucket it writes a
small file, which it removes, and into Redis a key that is gone a second later.

  npm run doctor

The exit code is 1 where something must be mended.`;

/** Looks at everything and returns the exit code. */
export async function runDoctor(
  args: string[],
  to: Pick<Terminal, 'print' | 'say'>,
): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    to.print(usage);
    return 0;
  }
  try {
    readOptions(args, z.object({}));
  } catch (error) {
    return sayFailure(error, to);
  }
  let settings: Env;
  try {
    settings = env();
  } catch (error) {
    to.print(`${marks.bad}  environment: ${messageOf(error)}`);
    to.print('      → Correct these variables; docs/configuration.md has them all.');
    return 1;
  }
  const hide = hiderOf(settings);
  const checks = [settingsChecks, machineChecks, databaseChecks, replicaChecks, serviceChecks];
  let mustMend = 0;
  to.print(`${marks.well}  environment: every variable can be read`);
  for await (const finding of examine(
    checks.flatMap((check) => check(settings)),
    limitMs,
  )) {
    for (const line of linesOf(finding)) to.print(hide(line));
    if (finding.state === 'bad') mustMend += 1;
  }
  to.print(mustMend === 0 ? 'Nothing must be mended.' : `${mustMend} to mend.`);
  return mustMend === 0 ? 0 : 1;
}

function linesOf({ about, state, says, mend }: Finding): string[] {
  const line = `${marks[state]}  ${about}: ${says}`;
  return mend === undefined ? [line] : [line, `      → ${mend}`];
}

async function main(): Promise<void> {
  heedOutput();
  try {
    loadEnvFile();
  } catch (error) {
    process.exit(sayFailure(error, terminal));
  }
  // What is found stands in the lines; the log would repeat it.
  provideEnv({ LOG_LEVEL: 'silent' });
  const code = await runDoctor(process.argv.slice(2), terminal);
  if (code !== 0) process.exitCode = code;
  // Not by the exit code alone: a server that never answers would keep the process. Only now, for
  // that the last line is lost is heard a moment later.
  setImmediate(() => process.exit());
}

if (require.main === module) void main();
