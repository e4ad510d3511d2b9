import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { singleton } from '../singleton';

/**
 * Names the build that answers: another one may write the same row in another way. The same for
 * every process of a build, and new for each process where there is none, as in development.
 */
export function buildId(): string {
  return singleton('build-id', () => {
    try {
      // The bundler would take the whole folder for something that is read here.
      return readFileSync(
        join(/* turbopackIgnore: true */ process.cwd(), '.next/BUILD_ID'),
        'utf8',
      );
    } catch {
      return randomUUID();
    }
  });
}
