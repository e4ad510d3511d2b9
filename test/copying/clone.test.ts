import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withClone } from '@/src/copying/clone';
import { type FolderLock, lockFolder } from '@/src/database/embedded/folder-lock';

/** Told of each statement before it is answered. */
let told: (statement: string) => void;

jest.mock('@/src/copying/connect', () => ({
  connect: async () => ({
    query: async (statement: string) => told(statement),
    end: async () => {},
  }),
}));

let folder: string;
let lock: FolderLock;

beforeEach(async () => {
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
