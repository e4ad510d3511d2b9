import { mkdtempSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbedded } from '../../../src/database/embedded/open';
import { readPanic } from '../../../src/database/embedded/wire-protocol';
import { query } from '../query';
import { endOf } from './ended-process';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'embedded-panic-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a database that cannot write its log ends its process with the reason, and loses nothing', async () => {
  const { code, complaint } = await endOf('panicking-process.ts', folder, 'client');
  expect(code).toBe(1);
  expect(complaint).toMatch(/could not .*xlogtemp/);

  const log = join(folder, 'postgres', 'pg_wal');
  for (const name of readdirSync(log)) {
    if (name.startsWith('xlogtemp.')) rmdirSync(join(log, name));
  }
  const next = await openEmbedded({ folder });
  expect(await query(next.url, 'SELECT count(*)::int AS n FROM numbers WHERE n <= 100')).toEqual([
    { n: 100 },
  ]);
  await next.close();
}, 180_000);

test('so it does where nobody asks for anything, and the maintenance finds out', async () => {
  const { code, complaint } = await endOf('panicking-process.ts', folder, 'maintenance');
  expect(code).toBe(1);
  expect(complaint).toMatch(/could not .*xlogtemp/);
}, 180_000);

test('a panic is found behind other messages, and an error is none', () => {
  const message = (type: string, body: string) => {
    const head = Buffer.alloc(5, type);
    head.writeUInt32BE(4 + Buffer.byteLength(body), 1);
    return Buffer.concat([head, Buffer.from(body)]);
  };
  const rows = message('T', 'a\0VPANIC\0');
  const error = (severity: string) => message('E', `S${severity}\0V${severity}\0MNo room: é\0\0`);
  expect(readPanic(Buffer.concat([rows, error('PANIC')]))).toBe('No room: é');
  expect(readPanic(Buffer.concat([rows, error('ERROR')]))).toBeUndefined();
});
