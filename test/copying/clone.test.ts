import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cloneName, removeAbandonedClones, withClone } from '@/src/copying/clone';
import { type FolderLock, lockFolder } from '@/src/database/embedded/folder-lock';

/** Told of each statement before it is answered. */
let told: (statement: string) => void;

jest.mock('@/src/copying/connect', () => ({
  connect: async () => ({
    query: async (statement: string) => told(statement),
    end: async () => {},
  }),
}));

let freeBytes = Number.POSITIVE_INFINITY;

jest.mock('@/src/database/embedded/free-space', () => ({
  ...jest.requireActual('@/src/database/embedded/free-space'),
  freeBytes: () => freeBytes,
}));

let folder: string;
let lock: FolderLock;

beforeEach(async () => {
  told = () => {};
  freeBytes = Number.POSITIVE_INFINITY;
  folder = mkdtempSync(join(tmpdir(), 'clone-'));
  mkdirSync(join(folder, 'postgres', 'base'), { recursive: true });
  lock = await lockFolder(folder);
  lock.publish({ host: '127.0.0.1', port: 5432, password: 'unused' });
});

afterEach(() => {
  lock.release();
  rmSync(folder, { recursive: true });
});

test('a clone has what there was when everybody waited, and nothing from after that', async () => {
  const statements: string[] = [];
  told = (statement) => {
    statements.push(statement);
    writeFileSync(join(folder, 'postgres', 'base', statement), '');
  };
  const names = await withClone(folder, async (clone) =>
    readdirSync(join(clone.folder, 'postgres', 'base')),
  );
  const asked = statements.filter((statement) => statement !== 'SELECT 1');
  expect(asked).toEqual(['CHECKPOINT', 'BEGIN', 'COMMIT']);
  expect(names).toEqual(expect.arrayContaining(['CHECKPOINT', 'BEGIN']));
  expect(names).not.toContain('COMMIT');
});

test('nobody else may look into a clone', async () => {
  await withClone(folder, async (clone) => {
    for (const path of ['', 'postgres', 'postgres/base']) {
      expect(statSync(join(clone.folder, path)).mode & 0o077).toBe(0);
    }
  });
});

test('a clone during which the database was not held until the end is none', async () => {
  told = (statement) => {
    if (statement === 'COMMIT') throw new Error('The transaction was ended');
  };
  const use = jest.fn();
  await expect(withClone(folder, use)).rejects.toThrow('The transaction was ended');
  expect(use).not.toHaveBeenCalled();
  expect(clones()).toEqual([]);
});

test('what a clone failed with is told, and not what followed from it', async () => {
  told = (statement) => {
    // A file in its way is what cannot be made anew, as where the disk is full.
    if (statement === 'BEGIN') mkdirSync(join(folder, 'postgres', 'base', 'new'));
    if (statement === 'BEGIN')
      writeFileSync(join(folder, clones()[0] ?? '', 'postgres/base/new'), '');
    if (statement === 'COMMIT') throw new Error('The transaction was ended');
  };
  await expect(withClone(folder, async () => {})).rejects.toMatchObject({ code: 'EEXIST' });
  expect(clones()).toEqual([]);
});

test('the database, which ends what is silent, is spoken to while it is held', async () => {
  const statements: string[] = [];
  told = (statement) => void statements.push(statement);
  const begin = setInterval;
  const timers = jest.spyOn(global, 'setInterval').mockImplementation((tick, ms) => {
    if ((ms ?? 0) < 5_000) tick();
    return begin(tick, ms);
  });
  await withClone(folder, async () => {});
  timers.mockRestore();
  expect(statements).toEqual(['CHECKPOINT', 'BEGIN', 'SELECT 1', 'COMMIT']);
});

const clones = () => readdirSync(folder).filter((name) => name.startsWith('clone-'));

test('a file that goes, or changes within one step of the clock, is in the clone as it was in the end', async () => {
  const path = (name: string) => join(folder, 'postgres', 'base', name);
  // So that the clock has not gone beyond it, however slow the machine is.
  const soon = new Date(Date.now() + 3_600_000);
  const write = (text: string) => {
    writeFileSync(path('kept'), text);
    utimesSync(path('kept'), soon, soon);
  };
  write('before');
  writeFileSync(path('gone'), '');
  told = (statement) => {
    if (statement !== 'BEGIN') return;
    write('behind');
    rmSync(path('gone'));
  };
  const found = await withClone(folder, async (clone) => {
    const base = join(clone.folder, 'postgres', 'base');
    return [readdirSync(base), readFileSync(join(base, 'kept'), 'utf8')];
  });
  expect(found).toEqual([['kept'], 'behind']);
});

test('where more is written than is copied in two seconds, others go on each time, and it is given up', async () => {
  let now = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => {
    now += 2_001;
    return now;
  });
  const [begun, ended] = [jest.spyOn(global, 'setInterval'), jest.spyOn(global, 'clearInterval')];
  const statements: string[] = [];
  told = (statement) => {
    statements.push(statement);
    writeFileSync(join(folder, 'postgres', 'base', `${statements.length}`), '');
  };
  const use = jest.fn();
  await expect(withClone(folder, use)).rejects.toThrow(
    'More is written to the database than could be copied within 2 s.',
  );
  clock.mockRestore();
  expect(use).not.toHaveBeenCalled();
  expect(statements.filter((one) => one === 'COMMIT')).toHaveLength(10);
  expect(statements.at(-1)).toBe('COMMIT');
  const timers = begun.mock.results.map(({ value }) => value);
  expect(ended.mock.calls.map(([timer]) => timer)).toEqual(expect.arrayContaining(timers));
  expect(clones()).toEqual([]);
});

test('without room for a copy and what the service may need meanwhile, none is begun', async () => {
  const bytes = 5;
  writeFileSync(join(folder, 'postgres', 'base', '1'), 'x'.repeat(bytes));
  const spareBytes = 256 * 1024 ** 2;
  freeBytes = bytes + spareBytes;
  told = () => {
    throw new Error('The database was asked');
  };
  await expect(withClone(folder, async () => {})).rejects.toThrow(
    'needs 257 MiB beside the database, and 257 MiB are free. Make room',
  );
  expect(clones()).toEqual([]);
  freeBytes += 1;
  told = () => {};
  expect(await withClone(folder, async () => 'made')).toBe('made');
});

test('what another process is making is left alone', async () => {
  const other = cloneName(process.ppid);
  mkdirSync(join(folder, other));
  await withClone(folder, async () => {});
  expect(clones()).toEqual([other]);
});

test('what a killed process left goes, also where another one has got its number', async () => {
  const left = [`clone-${process.ppid}-0123456789abcdef`, `${cloneName(999_999_999)}`];
  for (const name of left) mkdirSync(join(folder, name, 'postgres'), { recursive: true });
  mkdirSync(join(folder, 'clone-of-mine'));
  await removeAbandonedClones(folder);
  expect(clones()).toEqual(['clone-of-mine']);
  for (const name of left) mkdirSync(join(folder, name, 'postgres'), { recursive: true });
  const beside = await withClone(folder, async () => clones());
  expect(beside.sort()).toEqual([cloneName(process.pid), 'clone-of-mine'].sort());
});

test('a folder that no service uses any more has no clone', async () => {
  lock.release();
  await expect(withClone(folder, async () => {})).rejects.toThrow('No service is using');
  expect(clones()).toEqual([]);
});
