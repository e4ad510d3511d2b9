import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withTemporaryFolder } from '@/src/temporary-folder';
import { extractAudio } from '@/src/transcription/extract';

test('the process that reads a file of somebody else is given no setting of the service', async () => {
  process.env.SECRET_OF_THE_SERVICE = 'secret';
  await withTemporaryFolder(async (folder) => {
    const program = join(folder, 'program.mjs');
    const told = join(folder, 'told.json');
    await writeFile(
      program,
      `import { writeFileSync } from 'node:fs';
      writeFileSync(${JSON.stringify(told)}, JSON.stringify(process.env));`,
    );
    const signal = AbortSignal.timeout(60_000);
    await expect(extractAudio(folder, folder, signal, undefined, program)).rejects.toThrow(
      'exit code 0',
    );
    const environment: object = JSON.parse(await readFile(told, 'utf8'));
    // Beside what Node itself sets for the channel between the two.
    const names = Object.keys(environment).filter((name) => !name.startsWith('NODE_CHANNEL_'));
    expect(names).toEqual(['NODE_ENV']);
  });
});
