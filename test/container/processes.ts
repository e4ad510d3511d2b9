/** Processes of an image, and of the build: with nothing of the caller's but what is said. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { killGroup } from '../helpers/kill-group';

export type Settings = Record<string, string>;

export type How = {
  cwd: string;
  env: Settings;
  /** After this the process and all it has started are killed. */
  timeoutMs: number;
  user?: { uid: number; gid: number };
  input?: string;
};

export type Running = {
  /** What it has written so far, standard error with it. */
  output(): string;
  /** Resolves with the output once that fits; throws where the process ends first. */
  writes(pattern: RegExp): Promise<string>;
  stop(): void;
  /** Resolves with the exit code; null where a signal has ended it. */
  ended: Promise<number | null>;
};

const running = new Set<ChildProcess>();

export function start([file = '', ...args]: string[], how: How): Running & { printed(): string } {
  const { cwd, env, user, timeoutMs, input = '' } = how;
  const child = spawn(file, args, { cwd, env: environment(env), ...user, detached: true });
  running.add(child);
  const timer = setTimeout(() => killGroup(child), timeoutMs);
  let printed = '';
  let output = '';
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  child.stdout.on('data', (chunk) => {
    printed += chunk;
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  const ended = once(child, 'close').then(() => {
    clearTimeout(timer);
    running.delete(child);
    return child.exitCode;
  });
  const writes = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = () => pattern.test(output) && resolve(output);
      child.stdout.on('data', look);
      child.stderr.on('data', look);
      look();
      const fail = () => reject(new Error(`It ended without ${pattern}:\n${output}`));
      ended.then(fail, fail);
    });
  return {
    printed: () => printed,
    output: () => output,
    writes,
    stop: () => void child.kill('SIGTERM'),
    ended,
  };
}

/** Runs a command and returns what it prints. Throws with all it has written where it fails. */
export async function runToEnd(command: string[], how: How): Promise<string> {
  const process = start(command, how);
  const code = await process.ended;
  if (code === 0) return process.printed();
  throw new Error(`${command.join(' ')} ended with ${code ?? 'a signal'}:\n${process.output()}`);
}

/** Ends what a step that failed, or a run that was broken off, has left behind. */
export function killAll(): void {
  for (const child of running) killGroup(child);
}

/** These and no others. Declared to hold a NODE_ENV always, an environment is made of one that may. */
function environment(settings: Settings): NodeJS.ProcessEnv {
  const own = { ...process.env };
  for (const name of Object.keys(own)) delete own[name];
  return Object.assign(own, settings);
}
