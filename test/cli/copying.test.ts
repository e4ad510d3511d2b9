import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backupScript } from '@/src/cli/backup';
import { moveScript } from '@/src/cli/move';
import { restoreScript } from '@/src/cli/restore';
import { verifyBackup } from '@/src/copying/backup-file';
import { withAddress } from '@/src/copying/places';
import { migrate } from '@/src/database/migrations/migrate';
import { env, provideEnv } from '@/src/env';
import { createAccount } from '../helpers/accounts';
import { withOwnDatabase } from '../helpers/own-database';
import { run } from './run';

withOwnDatabase();

const folder = mkdtempSync(join(tmpdir(), 'copying-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  [moveScript, [], '--to is missing.'],
  // A setting of this counts as none: no service would open a folder of that name.
  [moveScript, ['--to', ' '], '--to is missing.'],
  [moveScript, ['--to', 'mysql://somewhere/else'], '--to must be a postgresql:// address'],
  [moveScript, ['--to', 'user:secret@host/db'], '--to must begin with postgresql://'],
  [moveScript, ['--to=~/data'], '--to must not begin with ~'],
  [moveScript, ['--to', 'postgresql://a:1#secret@host/db'], '--to is no address that can be read'],
  [moveScript, ['--from', 'x'], `Unknown option '--from'`],
  [backupScript, [], 'The file is missing.'],
  [restoreScript, [], 'The file is missing.'],
  [restoreScript, ['a', 'b'], 'The file is given twice.'],
])('arguments that are wrong: one line and exit code 2', async (script, args, reason) => {
  const { code, printed, said } = await run(script, args);
  expect({ code, printed }).toEqual({ code: 2, printed: [] });
  expect(said).toEqual([expect.stringContaining(reason)]);
});

test('a backup is for its owner alone, is not overwritten, and is found out where it is cut', async () => {
  const file = join(folder, 'a.backup');
  expect(await run(backupScript, [file])).toMatchObject({
    code: 0,
    printed: [expect.stringMatching(/^[\d,]+ rows of .* are in .*a\.backup\.$/)],
    said: expect.arrayContaining([expect.stringContaining('has no accounts: is it that of')]),
  });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect((await verifyBackup(file)).tables.map(({ name }) => name)).toContain('testimonials');
  expect(await run(backupScript, [file])).toMatchObject({
    code: 1,
    said: [expect.stringContaining('exists already')],
  });
  const link = join(folder, 'link.backup');
  symlinkSync(join(folder, 'nowhere.backup'), link);
  expect((await run(backupScript, [link])).said).toEqual([
    `${link} exists already. Name a new file.`,
  ]);
  truncateSync(file, statSync(file).size - 20);
  expect(await run(restoreScript, [file])).toMatchObject({
    code: 1,
    printed: [],
    said: [expect.stringMatching(/no backup that can be used: .* Nothing was changed\.$/)],
  });
});

test('what is no file, as a folder or a pipe that can be read but once, is not restored', async () => {
  for (const path of [folder, '/dev/null']) {
    const { code, said } = await run(restoreScript, [path]);
    expect([code, said]).toEqual([1, [expect.stringContaining(`${path} is no file.`)]]);
  }
});

test('where its file cannot be made, a backup ends before it looks for a database', async () => {
  const { DATABASE_URL } = env();
  try {
    provideEnv({ DATABASE_URL: 'postgresql://127.0.0.1:1/none' });
    expect(await run(backupScript, [join(folder, 'nowhere', 'c.backup')])).toEqual({
      code: 1,
      printed: [],
      said: [expect.stringMatching(/^No file can be made in .*nowhere: ENOENT/)],
    });
  } finally {
    provideEnv({ DATABASE_URL: DATABASE_URL ?? '' });
  }
});

test('the backup of a stopped service removes what one of it while it ran has left when it was killed', async () => {
  const { DATABASE_URL } = env();
  const data = join(folder, 'stopped');
  await withAddress({ folder: data }, (url) => migrate({ url, log: () => {} }));
  mkdirSync(join(data, 'clone-999999999', 'postgres'), { recursive: true });
  try {
    provideEnv({ DATABASE_URL: '', DATA_FOLDER: data });
    expect(await run(backupScript, [join(folder, 'stopped.backup')])).toMatchObject({ code: 0 });
    expect(readdirSync(data).filter((name) => name.startsWith('clone-'))).toEqual([]);
  } finally {
    provideEnv({ DATABASE_URL: DATABASE_URL ?? '' });
  }
});

test('a data folder is not moved into itself, by whatever name', async () => {
  const { DATABASE_URL } = env();
  const own = join(folder, 'own');
  mkdirSync(own);
  symlinkSync(own, join(folder, 'other-name'));
  try {
    provideEnv({ DATABASE_URL: '', DATA_FOLDER: own });
    for (const to of [own, `${own}/`, join(folder, 'other-name')]) {
      expect(await run(moveScript, ['--to', to])).toMatchObject({
        code: 2,
        printed: [],
        said: [expect.stringContaining('--to is the data folder that everything is taken from')],
      });
    }
  } finally {
    provideEnv({ DATABASE_URL: DATABASE_URL ?? '' });
  }
});

test('a database that is not empty is refused by both, and one that is not there cannot be moved', async () => {
  const file = join(folder, 'b.backup');
  await createAccount();
  expect((await run(backupScript, [file])).said.join()).not.toContain('has no accounts');
  expect(await run(restoreScript, [file])).toMatchObject({
    code: 1,
    said: expect.arrayContaining([expect.stringMatching(/not empty|A service is using/)]),
  });
  const { DATABASE_URL } = env();
  try {
    provideEnv({ DATABASE_URL: '', DATA_FOLDER: join(folder, 'nothing') });
    expect(await run(moveScript, ['--to', join(folder, 'target')])).toEqual({
      code: 1,
      printed: [],
      said: [
        `There is no database in ${join(folder, 'nothing')}, and DATABASE_URL is not set. Run this ` +
          'with the settings of the service.',
      ],
    });
  } finally {
    provideEnv({ DATABASE_URL: DATABASE_URL ?? '' });
  }
});
