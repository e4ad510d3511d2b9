import { createInterface } from 'node:readline';
import type { Writable } from 'node:stream';

/** Where a script writes, and where it reads a secret from. */
export type Terminal = {
  /** The result, for whoever pipes it on. */
  print(line: string): void;
  /** The same, for what is shown this once. Rejects where it was not written. */
  hand(line: string): Promise<void>;
  /** Progress, and what went wrong. */
  say(line: string): void;
  /** One line of input, not shown while it is typed; empty where there is none. */
  readSecret(prompt: string): Promise<string>;
  /** One line of input, shown as it is typed; empty where there is none. */
  readLine(prompt: string): Promise<string>;
  /** Standard input as it comes. */
  input: AsyncIterable<Uint8Array>;
  /** Standard output, for a result that is too long for `print`. */
  output: Writable;
};

/** This process's standard input, output and error. */
export const terminal: Terminal = {
  print: (line) => process.stdout.write(`${line}\n`),
  hand: (line) =>
    new Promise((resolve, reject) => {
      process.stdout.write(`${line}\n`, (error) => (error ? reject(error) : resolve()));
    }),
  say: (line) => process.stderr.write(`${line}\n`),
  readSecret: (prompt) => readInput(prompt, { isShown: false }),
  readLine: (prompt) => readInput(prompt, { isShown: true }),
  input: process.stdin,
  output: process.stdout,
};

async function readInput(prompt: string, { isShown }: { isShown: boolean }): Promise<string> {
  const { stdin, stderr } = process;
  if (stdin.isTTY) stderr.write(prompt);
  // Without an output, the terminal is read key by key and nothing is echoed.
  const lines = createInterface({ input: stdin, terminal: stdin.isTTY && !isShown });
  // Key by key, Ctrl-C is a key like others, and would be an empty line.
  lines.once('SIGINT', () => {
    stderr.write('\n');
    process.kill(process.pid, 'SIGINT');
  });
  try {
    for await (const line of lines) return line;
    return '';
  } finally {
    lines.close();
    if (stdin.isTTY && !isShown) stderr.write('\n');
  }
}
