import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Runs once, in the build: Scalar's reference as it is published, one file without imports. What
 * it is made of is needed no longer once the build is done.
 */
export const dynamic = 'force-static';

export async function GET(): Promise<Response> {
  const file = join(process.cwd(), 'node_modules/@scalar/api-reference/dist/browser/standalone.js');
  return new Response(await readFile(file, 'utf8'), {
    headers: {
      'Content-Type': 'text/javascript; charset=utf-8',
      // Pages name it with its version.
      'Cache-Control': 'public, max-age=31536000, immutable',
    },
  });
}
