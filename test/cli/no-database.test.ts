import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accountScript } from '@/src/cli/account';
import { apiKeyScript } from '@/src/cli/api-key';
import { backupScript } from '@/src/cli/backup';
import { exportScript } from '@/src/cli/export';
import { importScript } from '@/src/cli/import';
import { moveScript } from '@/src/cli/move';
import { moveFilesScript } from '@/src/cli/move-files';
import { env, provideEnv } from '@/src/env';
import { run } from './run';

const folder = mkdtempSync(join(tmpdir(), 'no-database-'));
const { DATABASE_URL } = env();

beforeAll(() => provideEnv({ DATABASE_URL: '', DATA_FOLDER: join(folder, 'data') }));
afterAll(() => {
  provideEnv({ DATABASE_URL: DATABASE_URL ?? '' });
  rmSync(folder, { recursive: true });
});

const email = ['--email', 'someone@example.com'];

test.each([
  [accountScript, ['list']],
  [accountScript, ['set-password', ...email, '--password', 'correct horse']],
  [accountScript, ['set-plan', ...email, '--plan', 'free']],
  [accountScript, ['delete', ...email, '--yes']],
  [apiKeyScript, ['create', ...email, '--scopes', 'read']],
  [apiKeyScript, ['list', ...email]],
  [apiKeyScript, ['delete', '--id', 'c1a8e7d2-5f4b-4a3c-9d2e-1f0a9b8c7d6e']],
  [exportScript, email],
  [
    importScript,
    [...email, '--space', 'c1a8e7d2-5f4b-4a3c-9d2e-1f0a9b8c7d6e', join(folder, 'a.csv')],
  ],
  [moveFilesScript, ['--to', 'folder']],
  [moveScript, ['--to', join(folder, 'target')]],
  [backupScript, [join(folder, 'a.backup')]],
])('without the settings of the service no database is made: %#', async (script, args) => {
  expect(await run(script, args)).toEqual({
    code: 1,
    printed: [],
    said: [
      expect.stringMatching(/^There is no database in .*data, and DATABASE_URL is not set\. Run/),
    ],
  });
  expect(existsSync(join(folder, 'data'))).toBe(false);
});

test.each([
  [accountScript, ['list']],
  [moveScript, ['--to', join(folder, 'target')]],
  [backupScript, [join(folder, 'b.backup')]],
])(
  'a data folder that cannot be used is told of in the words of a start: %#',
  async (script, args) => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    try {
      provideEnv({ DATA_FOLDER: file });
      const { code, printed, said } = await run(script, args);
      expect({ code, printed }).toEqual({ code: 1, printed: [] });
      expect(said).toEqual([
        `The data folder ${file} cannot be used: it is a file. Choose one that this user may write to ` +
          '(DATA_FOLDER).',
      ]);
    } finally {
      provideEnv({ DATA_FOLDER: join(folder, 'data') });
    }
  },
);
