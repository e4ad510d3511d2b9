import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { z } from 'zod';
import type { BuiltFunction } from './build';

const listening = z.object({ port: z.number(), loadedMs: z.number() });
const done = z.object({ cpuMs: z.number(), memoryBytes: z.number() });

/** What an instance has taken so far. */
export type Taken = z.infer<typeof done>;

/** A process that answers the requests of one function, one at a time. */
export type Instance = {
  pid: number;
  /** From the start of the process until the function was loaded, in milliseconds. */
  loadedMs: number;
  /** How many requests it was given. */
  requests: number;
  /**
   * Gives it a request. `finished` resolves once nothing is left that the platform waits for: by then
   * the process stands still, and runs on with its next request alone.
   */
  send(path: string, init: RequestInit): Promise<{ response: Response; finished: Promise<Taken> }>;
  /** Ends it as a platform does, without a word. */
  end(): Promise<void>;
};

export type InstanceOptions = {
  /** Where the function was unpacked. */
  folder: string;
  of: BuiltFunction;
  /** All of its environment. */
  environment: Record<string, string>;
  /** Whether it leaves what is due in the outbox. */
  leavesOutbox: boolean;
};

/** @throws Error where the function cannot be loaded; what it says of that is on standard error */
export async function startInstance(options: InstanceOptions): Promise<Instance> {
  const { folder, of, environment, leavesOutbox } = options;
  const program = join(__dirname, 'instance-process.cjs');
  const child = spawn(
    process.execPath,
    [program, folder, of.entry, ...(leavesOutbox ? ['leaves-outbox'] : [])],
    {
      // Nothing of this process's own settings reaches the function.
      env: { ...environment, NODE_ENV: 'production' },
      stdio: ['pipe', 'inherit', 'inherit', 'ipc'],
    },
  );
  // One that was ended needs no waking.
  child.stdin?.on('error', () => {});
  const { port, loadedMs } = listening.parse(await nextMessage(child));
  const instance: Instance = {
    pid: child.pid ?? 0,
    loadedMs,
    requests: 0,
    async send(path, init) {
      if (instance.requests > 0) child.stdin?.write('.');
      instance.requests += 1;
      const finished = nextMessage(child).then((message) => done.parse(message));
      // Nobody may be listening yet when the process ends instead.
      finished.catch(() => {});
      const address = `http://127.0.0.1:${port}${path}`;
      // Where it leads is another function's, which a client is told by the answer.
      const response = await fetch(address, { ...init, redirect: 'manual' });
      return { response, finished };
    },
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
  return instance;
}

function nextMessage(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const ended = () => reject(new Error('The instance of a function ended by itself'));
    child.once('exit', ended);
    child.once('message', (message) => {
      child.off('exit', ended);
      resolve(message);
    });
  });
}
