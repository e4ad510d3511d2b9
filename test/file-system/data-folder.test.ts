import fs, {
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  dataFolderError,
  foreignFile,
  foreignFileError,
  makeDataFolder,
} from '@/src/file-system/data-folder';

let parent: string;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'data-folder-'));
});

afterEach(() => {
  jest.restoreAllMocks();
  rmSync(parent, { recursive: true });
});

test('a data folder is made with those above it, for its user alone', () => {
  const folder = join(parent, 'not', 'there');
  makeDataFolder(folder);
  makeDataFolder(folder);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test.each([
  ['is a file', 'file', 'it is a file'],
  ['lies below a file', 'file/below', 'a file stands in its path'],
])('one that %s is refused, naming the variable', (_, path, reason) => {
  writeFileSync(join(parent, 'file'), '');
  const folder = join(parent, path);
  expect(() => makeDataFolder(folder)).toThrow(
    `The data folder ${folder} cannot be used: ${reason}. Choose one that this user may write to (DATA_FOLDER).`,
  );
});

test.each(['link', 'link/below', 'link/below/that'])(
  'a link that leads nowhere is told, at %s',
  (path) => {
    const link = join(parent, 'link');
    symlinkSync(join(parent, 'gone'), link);
    expect(() => makeDataFolder(join(parent, path))).toThrow(`the link ${link} leads nowhere`);
  },
);

const onLinux = existsSync('/proc/self') ? test : test.skip;

onLinux('where no folder can be made, it ends and says so', () => {
  const folder = '/proc/testimonials/data';
  expect(() => makeDataFolder(folder)).toThrow(`${folder} cannot be used: no folder can be made`);
});

test('files of the database that are kept from this user are found, and others not looked at', () => {
  mkdirSync(join(parent, 'postgres', 'base'), { recursive: true });
  mkdirSync(join(parent, 'lost+found'));
  const file = join(parent, 'postgres', 'base', '16384_fsm');
  for (const path of [file, join(parent, 'lock-1.json'), join(parent, 'lost+found', 'file')]) {
    writeFileSync(path, '');
  }
  expect(foreignFile(parent)).toBeUndefined();
  expect(foreignFile(parent, (path) => path !== file)).toBe(file);
  expect(foreignFile(parent, (path) => !path.endsWith('.json'))).toBe(join(parent, 'lock-1.json'));
  expect(foreignFile(parent, (path) => !path.includes('lost'))).toBeUndefined();
  expect(foreignFileError(parent, file).message).toMatch(
    /may not use .*16384_fsm\. .* "chown -R \d+ \/.*data-folder-/,
  );
});

/** As for a user whom nothing belongs to, and who may use all but this path. */
function keepFromThisUser(kept: string): void {
  jest.spyOn(process, 'getuid').mockReturnValue(54_321);
  jest.spyOn(fs, 'accessSync').mockImplementation((path) => {
    if (path === kept) throw Object.assign(new Error('EACCES'), { code: 'EACCES' });
  });
}

test('a folder that this user may not write to is refused, and one with a file of the database that it may not use', () => {
  const file = join(parent, 'postgres', 'PG_VERSION');
  mkdirSync(join(parent, 'postgres'));
  writeFileSync(file, '');
  keepFromThisUser(parent);
  expect(() => makeDataFolder(parent)).toThrow('user 54321 may not write there');
  keepFromThisUser(file);
  expect(() => makeDataFolder(parent)).toThrow(`user 54321 may not use ${file}`);
  keepFromThisUser(join(parent, 'another'));
  makeDataFolder(parent);
});

test('a folder that another process makes at the same moment is as good', () => {
  const folder = join(parent, 'data');
  const { mkdirSync: make } = fs;
  jest.spyOn(fs, 'mkdirSync').mockImplementationOnce((path, options) => {
    make(path, options);
    return make(path, options);
  });
  makeDataFolder(folder);
  expect(statSync(folder).isDirectory()).toBe(true);
});

test('a folder that goes away meanwhile, as with the end of a backup, is not missed', () => {
  const clone = join(parent, 'postgres.clone-1');
  mkdirSync(clone);
  const goes = (path: string) => {
    rmSync(path, { recursive: true });
    return true;
  };
  expect(foreignFile(parent, goes)).toBeUndefined();
});

test('a full disk is told as such', () => {
  const cause = Object.assign(new Error('ENOSPC: no space left on device, write'), {
    code: 'ENOSPC',
  });
  expect(dataFolderError(parent, cause).message).toBe(
    `The data folder ${parent} cannot be used: its disk is full. Make room, then start again.`,
  );
});
