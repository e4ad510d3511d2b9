import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { quickWasm } from '../helpers/quick-wasm';

export type ScriptProcess = {
  pid: number;
  /** The next line of output; undefined when the process has closed it. */
  nextLine(): Promise<string | undefined>;
  write(line: string): void;
  kill(): Promise<void>;
};

/** Starts a TypeScript file, named from this folder, as a process of its own. */
export function startScript(file: string, ...args: string[]): ScriptProcess {
  return start(['--require', require.resolve('tsx/cjs')], file, args);
}

/** As `startScript`, for a file that loads others while it runs, as `npm start` does. */
export function startService(file: string, ...args: string[]): ScriptProcess {
  return start(['--import', 'tsx'], file, args);
}

function start(loader: string[], file: string, args: string[]): ScriptProcess {
  const child = spawn(process.execPath, [...quickWasm, ...loader, join(__dirname, file), ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    pid: child.pid ?? 0,
    nextLine: async () => {
      const { done, value } = await lines.next();
      return done ? undefined : value;
    },
    write: (line) => child.stdin.write(`${line}\n`),
    kill: () => killHard(child),
  };
}

async function killHard(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }
}
