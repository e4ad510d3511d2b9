/** What the command-line scripts share: how they read arguments, open the database and end. */
import { parseArgs } from 'node:util';
import { isNativeError } from 'node:util/types';
import { z } from 'zod';
import { disconnect } from '../database/client';
import { openDatabase } from '../database/open';
import { endingWith } from '../ending';
import { loadEnvFile, provideEnv } from '../env';
import { codeOf, messageOf } from '../error-parts';
import { type Terminal, terminal } from './terminal';

export type Script = {
  /** What `--help` prints. */
  usage: string;
  /** False where it opens what it needs by itself: it is about more databases than one, or none. */
  opensDatabase?: boolean;
  /**
   * Whether it begins a new embedded database where there is none. Others say so and end: they would
   * take an empty one for the service's, which another folder or server has.
   */
  mayBegin?(args: string[]): boolean;
  /**
   * Checks the arguments and returns what is then done, with the database open.
   * @throws UsageError
   */
  read(args: string[], terminal: Terminal): Promise<Work> | Work;
};

export type Work = () => Promise<void>;

/** How one command of several is read, as `create` of `account -- create`. */
export type Command = Script['read'];

/**
 * Has the command that the first argument names read the others.
 * @throws UsageError
 */
export function readCommand(
  commands: Map<string, Command>,
  [name = '', ...args]: string[],
  terminal: Terminal,
): Promise<Work> | Work {
  const read = commands.get(name);
  if (read) return read(args, terminal);
  throw new UsageError(`Say what to do: ${[...commands.keys()].join(', ')}.`);
}

/** The arguments are wrong; the message says which, in one line. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** Runs a script as this process and sets its exit code. */
export async function runAsProcess(script: Script): Promise<void> {
  heedOutput();
  try {
    loadEnvFile();
  } catch (error) {
    terminal.say(describe(error));
    process.exitCode = 1;
    return;
  }
  // Standard output is for the result alone. What the log would say, the error line says too.
  provideEnv({ LOG_LEVEL: 'silent' });
  const code = await runScript(script, process.argv.slice(2), terminal);
  if (code === 0) return;
  process.exitCode = code;
  // What failed in the midst of it may still be waiting for more.
  process.stdin.destroy();
}

/** What standard output failed with, which is said as it is heard. */
const heard = new WeakSet<Error>();

/**
 * A full disk, or nobody who reads any more, is exit code 1; what was begun is still ended, and
 * nothing left behind. What else is said is not worth that: it goes on without.
 */
export function heedOutput(): void {
  let isHeard = false;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    process.exitCode = 1;
    if (!isHeard && error.code !== 'EPIPE') {
      terminal.say(`The result cannot be written: ${error.message}`);
    }
    isHeard = true;
    heard.add(error);
  });
  // Unheard, a line of progress that nobody reads would end the process, and leave behind what it makes.
  process.stderr.on('error', () => undefined);
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
    const work = await script.read(args, terminal);
    const mayBegin = script.mayBegin?.(args) ?? false;
    if (script.opensDatabase ?? true) await withDatabase(work, { mayBegin, say: terminal.say });
    else await work();
    return 0;
  } catch (error) {
    return sayFailure(error, terminal);
  }
}

/** Says what a script failed with, and returns its exit code: 2 where the arguments are wrong, else 1. */
export function sayFailure(error: unknown, terminal: Pick<Terminal, 'say'>): number {
  if (isNativeError(error) && heard.has(error)) return 1;
  const isUsage = error instanceof UsageError;
  // Without the dashes between, npm would show its own.
  terminal.say(isUsage ? `${error.message} Add -- --help to see the usage.` : describe(error));
  return isUsage ? 2 : 1;
}

/** Of an option that npm takes for its own, the value is left behind as a file or a stray word. */
const dashesRule = 'npm hands on options only where they stand behind --.';

/** As a password may, or a number below zero. */
const equalsRule = 'A value that begins with a dash stands behind =, as --name=-value.';

/**
 * Options of the form `--name value`, one for each field of `schema`, whose messages continue
 * "--name …". A boolean stands without a value, an array may be given several times, and the one
 * that is `bare` without its name.
 * @throws UsageError
 */
export function readOptions<Shape extends z.ZodRawShape>(
  args: string[],
  schema: z.ZodObject<Shape>,
  { bare }: { bare?: keyof Shape & string } = {},
): z.output<z.ZodObject<Shape>> {
  const kinds = Object.entries(schema.shape).map(([name, field]) => [name, kindOf(field)] as const);
  const options = Object.fromEntries(
    kinds.map(([name, kind]) => {
      const type: 'boolean' | 'string' = kind === 'flag' ? 'boolean' : 'string';
      return [name, { type, multiple: true }];
    }),
  );
  const given = parse(args, options, bare);
  const called = (name: string) => (name === bare ? `The ${name}` : `--${name}`);
  const values = kinds.map(([name, kind]) => {
    const list = given[name];
    if (kind === 'list' || !Array.isArray(list)) return [name, list];
    if (list.length === 1) return [name, list[0]];
    throw new UsageError(`${called(name)} is given twice.${name === bare ? ` ${dashesRule}` : ''}`);
  });
  const result = schema.safeParse(Object.fromEntries(values));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new UsageError(`${called(String(issue?.path[0]))} ${issue?.message}.`);
}

export const fileOption = z.string('is missing').min(1, 'is missing');

/**
 * An option's value that is not among the arguments, as one that was typed.
 * @throws UsageError
 */
export function checked<T>(name: string, schema: z.ZodType<T>, given: string): T {
  const { data, error } = schema.safeParse(given);
  if (error) throw new UsageError(`--${name} ${error.issues[0]?.message}.`);
  return data;
}

function kindOf(field: unknown): 'flag' | 'list' | 'value' {
  if (field instanceof z.ZodOptional || field instanceof z.ZodDefault)
    return kindOf(field.unwrap());
  if (field instanceof z.ZodBoolean) return 'flag';
  return field instanceof z.ZodArray ? 'list' : 'value';
}

function parse(
  args: string[],
  options: Record<string, { type: 'boolean' | 'string'; multiple: boolean }>,
  bare: string | undefined,
): Record<string, unknown> {
  try {
    const { values, positionals } = parseArgs({
      args,
      options,
      allowPositionals: bare !== undefined,
    });
    return bare !== undefined && positionals.length > 0
      ? { ...values, [bare]: positionals }
      : values;
  } catch (error) {
    // The first sentence names the argument; the others explain how Node reads them.
    const [sentence = ''] = isNativeError(error) ? error.message.split(/\.(?=\s|$)|\n/) : [];
    const isStray = codeOf(error) === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL';
    const rule = isStray ? dashesRule : sentence.endsWith('ambiguous') ? equalsRule : undefined;
    throw new UsageError(`${sentence}.${rule === undefined ? '' : ` ${rule}`}`);
  }
}

async function withDatabase(
  work: Work,
  options: { mayBegin: boolean; say: Terminal['say'] },
): Promise<void> {
  const close = await openDatabase({ shared: true, ...options });
  await endingWith(() => endingWith(close, disconnect), work);
}

function describe(error: unknown): string {
  if (!isNativeError(error)) return String(error);
  if (!error.name.startsWith('PrismaClient')) return messageOf(error) || String(error);
  // What comes before is where in our code the call stands.
  return `The database refused: ${error.message.trim().split('\n').at(-1)}`;
}
