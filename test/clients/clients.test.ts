import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openApiDocument } from '@/src/rest/openapi/document';
import { eventType } from '@/src/webhooks/schema';

const run = promisify(execFile);

// The programs that are started here are slow on a crowded machine.
jest.setTimeout(120_000);

const tools = join(__dirname, 'node_modules');

// They are some 120 MB that nothing else needs: `npm run test:clients` installs them.
const withTools = existsSync(tools) ? describe : describe.skip;

withTools('what integrators make of the published document', () => {
  let folder = '';

  beforeAll(async () => {
    // Within this folder, so that the compiler finds the packages that the pages import.
    folder = await mkdtemp(join(__dirname, 'generated-'));
    await writeFile(join(folder, 'openapi.json'), openApiDocument());
    await run(process.execPath, [
      join(tools, 'openapi-typescript', 'bin', 'cli.js'),
      join(folder, 'openapi.json'),
      '--default-non-nullable=false',
      '-o',
      join(folder, 'testimonials.d.ts'),
    ]);
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('two linters with their usual rules find no error', async () => {
    const { stdout } = await run(process.execPath, [
      join(__dirname, 'lint.mjs'),
      join(folder, 'openapi.json'),
    ]);
    const problems: string[][] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(problems.filter(([, severity]) => severity === 'error')).toEqual([]);
    // Of warnings they may have some; none at all would mean that they read nothing.
    expect([...new Set(problems.map(([linter]) => linter))]).toEqual(['redocly', 'spectral']);
  });

  test('a webhook narrows by its type, to all types and only with previous_status set', async () => {
    await compile(
      `
      import type { components } from './testimonials';
      type Event = components['schemas']['WebhookEvent'];
      export function read(event: Event): string {
        switch (event.type) {
          case 'testimonial.approved':
          case 'testimonial.rejected':
          case 'testimonial.updated': {
            const before: 'pending' | 'approved' | 'rejected' = event.data.previous_status;
            return before;
          }
          case 'testimonial.created':
          case 'testimonial.deleted':
            // @ts-expect-error no status was set
            return event.data.previous_status;
          case 'space.created':
          case 'space.updated':
          case 'space.deleted':
            return event.data.slug;
        }
      }
      const types: { [Type in Event['type']]: true } = {
        ${eventType.options.map((type) => `'${type}': true`).join(', ')}
      };
      export const language: Error = new Error(Object.keys(types).join());
      export const unknown: components['schemas']['ErrorResponse'] = {
        error: { code: 'NOT_KNOWN_YET', message: '' },
      };`,
    );
  });

  test('the programs of the pages for integrators fit it', async () => {
    const page = await readFile('docs/integrating.md', 'utf8');
    const programs = [...page.matchAll(/```ts\n(.*?)```/gs)].map(([, program]) => program ?? '');
    expect(programs).toHaveLength(5);
    await compile(...programs);
  });

  async function compile(...programs: string[]): Promise<void> {
    const files = programs.map((_, index) => join(folder, `program-${index}.mts`));
    await Promise.all(files.map((file, index) => writeFile(file, programs[index] ?? '')));
    const options =
      '--ignoreConfig --noEmit --strict --skipLibCheck --target es2023 --module preserve --types node'.split(
        ' ',
      );
    const compiler = join('node_modules', 'typescript', 'bin', 'tsc');
    const { stdout } = await run(process.execPath, [compiler, ...options, ...files]).catch(
      ({ stdout }: { stdout: string }) => ({ stdout }),
    );
    expect(stdout).toBe('');
  }
});
