import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { database } from '@/src/database/client';
import { env } from '@/src/env';
import { createTenant } from '../helpers/accounts';
import { withOwnDatabase } from '../webhooks/own-database';
import { differences } from './kept-rows';
import { query } from './query';

const file = join(__dirname, '../../prisma/migrations/20261125180000_final_sigma/migration.sql');

withOwnDatabase();

const run = (sql: string) => query(env().DATABASE_URL ?? '', sql);

const versionOf = async (id: string) =>
  (await database().user.findUniqueOrThrow({ where: { id }, select: { version: true } })).version;

test('texts from before are found, under a version that is new where there are some', async () => {
  const [greek, other] = [await createTenant(), await createTenant()];
  await greek.testimonial((await greek.space()).id, { text_content: 'Ο πάγος' });
  await other.testimonial((await other.space()).id, { text_content: 'Σ and σ' });
  // As it was kept before.
  await run("UPDATE testimonial_texts SET folded = replace(folded, 'πάγοσ', 'πάγος')");
  const versions = [await versionOf(greek.accountId), await versionOf(other.accountId)];
  const find = () => greek.api.get(`/testimonials?search=${encodeURIComponent('ΠΆΓΟΣ')}`);
  expect((await find()).body.pagination.total).toBe(0);
  // Without its form of the texts, which a later migration has replaced.
  await run(readFileSync(file, 'utf8').replace(/^CREATE FUNCTION.*?^\$\$;$/ms, ''));
  expect((await find()).body.pagination.total).toBe(1);
  expect(await differences()).toEqual([]);
  expect(await versionOf(greek.accountId)).not.toBe(versions[0]);
  expect(await versionOf(other.accountId)).toBe(versions[1]);
});
