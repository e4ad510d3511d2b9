import { Readable, Writable } from 'node:stream';
import { runScript, type Script } from '@/src/cli/script';

type Outcome = { code: number; printed: string[]; said: string[] };

/**
 * Runs a script in this process, with `input` as what standard input holds. What it writes to standard
 * output otherwise than by lines goes to `written`.
 */
export async function run(
  script: Script,
  args: string[],
  input: string | Buffer = '',
  written: Buffer[] = [],
): Promise<Outcome> {
  const printed: string[] = [];
  const said: string[] = [];
  const code = await runScript(script, args, {
    print: (line) => printed.push(line),
    hand: async (line) => {
      printed.push(line);
    },
    say: (line) => said.push(line),
    readSecret: async () => String(input),
    readLine: async () => String(input),
    input: Readable.from([Buffer.from(input)]),
    output: new Writable({
      write(chunk: Buffer, _encoding, done) {
        written.push(chunk);
        done();
      },
    }),
  });
  return { code, printed, said };
}

/** Runs a script that is expected to succeed; returns the one line it printed. */
export async function result(script: Script, args: string[]): Promise<string> {
  const { code, printed, said } = await run(script, args);
  if (code !== 0 || printed.length !== 1) throw new Error(`Exit code ${code}: ${said.join('\n')}`);
  return printed[0] ?? '';
}
