/** What the command-line scripts share: how they read arguments, open the database and end. */
import { parseArgs } from 'node:util';
import { isNativeError } from 'node:util/types';
import type { z } from 'zod';
import { disconnect } from '../database/client';
import { openDatabase } from '../database/open';
import { loadEnvFile, provideEnv } from '../env';
import { type Terminal, terminal } from './terminal';

export type Script = {
  /** What `--help` prints. */
  usage: string;
  /**
   * Checks the arguments and returns what is then done, with the database open.
   * @throws UsageError
   */
  read(args: string[], terminal: Terminal): Promise<Work> | Work;
};

export type Work = () => Promise<void>;

/** The arguments are wrong; the message says which, in one line. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** Runs a script as this process and sets its exit code. */
export async function runAsProcess(script: Script): Promise<void> {
  loadEnvFile();
  // Standard output is for the result alone. What the log would say, the error line says too.
  provideEnv({ LOG_LEVEL: 'silent' });
  process.exitCode = await runScript(script, process.argv.slice(2), terminal);
}

/** Runs a script and returns its exit code: 0, 2 where the arguments are wrong, else 1. */
export async function runScript(
  script: Script,
  args: string[],
  terminal: Terminal,
): Promise<number> {
  try {
    if (args.includes('--help') || args.includes('-h')) {
      terminal.print(script.usage);
      return 0;
    }
    await withDatabase(await script.read(args, terminal), terminal);
    return 0;
  } catch (error) {
    const isUsage = error instanceof UsageError;
    terminal.say(isUsage ? `${error.message} Add --help to see the usage.` : describe(error));
    return isUsage ? 2 : 1;
  }
}

/**
 * Options of the form `--name value`, one for each field of `schema`, whose messages continue
 * "--name …".
 * @throws UsageError
 */
export function readOptions<Shape extends z.ZodRawShape>(
  args: string[],
  schema: z.ZodObject<Shape>,
): z.output<z.ZodObject<Shape>> {
  const options = Object.fromEntries(
    Object.keys(schema.shape).map((name) => [name, { type: 'string', multiple: true } as const]),
  );
  const result = schema.safeParse(single(parse(args, options)));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new UsageError(`--${String(issue?.path[0])} ${issue?.message}.`);
}

function parse(args: string[], options: Record<string, { type: 'string'; multiple: true }>) {
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    // The first sentence names the argument; the others explain how Node reads them.
    const [sentence = ''] = isNativeError(error) ? error.message.split(/[.\n]/) : [];
    throw new UsageError(`${sentence}.`);
  }
}

function single(values: Record<string, string[] | undefined>): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(values).map(([name, given]) => {
      if (given && given.length > 1) throw new UsageError(`--${name} is given twice.`);
      return [name, given?.[0]];
    }),
  );
}

async function withDatabase(work: Work, terminal: Terminal): Promise<void> {
  const close = await openDatabase({ shared: true, say: terminal.say });
  try {
    await work();
  } finally {
    await disconnect();
    await close();
  }
}

function describe(error: unknown): string {
  if (!isNativeError(error)) return String(error);
  if (!error.name.startsWith('PrismaClient')) return error.message;
  // What comes before is where in our code the call stands.
  return `The database refused: ${error.message.trim().split('\n').at(-1)}`;
}
