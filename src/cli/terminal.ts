import { createInterface } from 'node:readline';

/** Where a script writes, and where it reads a secret from. */
export type Terminal = {
  /** The result, for whoever pipes it on. */
  print(line: string): void;
  /** Progress, and what went wrong. */
  say(line: string): void;
  /** One line of input, not shown while it is typed; empty where there is none. */
  readSecret(prompt: string): Promise<string>;
};

/** This process's standard input, output and error. */
export const terminal: Terminal = {
  print: (line) => process.stdout.write(`${line}\n`),
  say: (line) => process.stderr.write(`${line}\n`),
  readSecret,
};

async function readSecret(prompt: string): Promise<string> {
  const { stdin, stderr } = process;
  if (stdin.isTTY) stderr.write(prompt);
  // Without an output, the terminal is read key by key and nothing is echoed.
  const lines = createInterface({ input: stdin, terminal: stdin.isTTY });
  try {
    for await (const line of lines) return line;
    return '';
  } finally {
    lines.close();
    if (stdin.isTTY) stderr.write('\n');
  }
}
