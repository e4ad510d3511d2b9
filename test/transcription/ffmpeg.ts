import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';

/** Whether ffmpeg is installed: tests with real media run where it is. */
export const hasFfmpeg = (() => {
  try {
    execFileSync('ffmpeg', ['-version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

/** Runs ffmpeg on files; throws where it reports an error. */
export async function ffmpeg(...args: string[]): Promise<void> {
  const { stderr } = await promisify(execFile)('ffmpeg', ['-v', 'error', '-y', ...args]);
  if (stderr !== '') throw new Error(stderr);
}

/** The length of the audio that ffmpeg decodes out of a file. */
export async function decodedSeconds(path: string): Promise<number> {
  const raw = ['-vn', '-f', 's16le', '-ac', '1', '-ar', '8000', 'pipe:1'];
  const { stdout } = await promisify(execFile)(
    'ffmpeg',
    ['-v', 'error', '-xerror', '-i', path, ...raw],
    { encoding: 'buffer', maxBuffer: 64 * 1024 * 1024 },
  );
  return stdout.length / 2 / 8000;
}
