import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { env } from '@/src/env';
import { createTenant } from '../helpers/accounts';
import { withOwnDatabase } from '../helpers/own-database';
import { differences, versionOf } from './kept-rows';
import { query } from './query';

withOwnDatabase();

const run = (sql: string) => query(env().DATABASE_URL ?? '', sql);

test('spaces from before are counted, under a version that is new where there are some', async () => {
  const [owner, other] = [await createTenant(), await createTenant()];
  for (let count = 0; count < 3; count += 1) await owner.space();
  const versions = [await versionOf(owner.accountId), await versionOf(other.accountId)];
  await run('ALTER TABLE users DROP COLUMN space_count');
  const script = '../../prisma/migrations/20261201060000_space_count/migration.sql';
  await run(readFileSync(join(__dirname, script), 'utf8'));
  expect((await owner.api.get('/spaces?limit=1')).body.pagination.total).toBe(3);
  expect(await differences()).toEqual([]);
  expect(await versionOf(owner.accountId)).not.toBe(versions[0]);
  expect(await versionOf(other.accountId)).toBe(versions[1]);
});

test('of accounts that one statement meets, each has its own counted', async () => {
  const [first, second] = [await createTenant(), await createTenant()];
  const [given] = [await first.space(), await first.space(), await second.space()];
  await run(`UPDATE spaces SET user_id = '${second.accountId}' WHERE id = '${given.id}'`);
  expect(await differences()).toEqual([]);
  const totals = async () =>
    Promise.all(
      [first, second].map(async ({ api }) => (await api.get('/spaces')).body.pagination.total),
    );
  expect(await totals()).toEqual([1, 2]);
  await run('DELETE FROM spaces');
  expect(await totals()).toEqual([0, 0]);
});

test('those that a TRUNCATE removes are counted no more', async () => {
  const { api, ...tenant } = await createTenant();
  await tenant.space();
  expect((await api.get('/spaces')).body.pagination.total).toBe(1);
  await run('TRUNCATE spaces CASCADE');
  expect((await api.get('/spaces')).body.pagination.total).toBe(0);
  expect(await differences()).toEqual([]);
});
