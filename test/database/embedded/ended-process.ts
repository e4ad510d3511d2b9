import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Runs a TypeScript file of this folder, which is to end by itself: its exit code, and what it complained of. */
export async function endOf(file: string, ...args: string[]) {
  const child = spawn(
    process.execPath,
    ['--require', require.resolve('tsx/cjs'), join(__dirname, file), ...args],
    { stdio: ['ignore', 'ignore', 'pipe'], timeout: 170_000, killSignal: 'SIGKILL' },
  );
  let complaint = '';
  child.stderr.on('data', (chunk) => {
    complaint += chunk;
  });
  const [code] = await once(child, 'close');
  return { code, complaint };
}
