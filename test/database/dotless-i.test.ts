import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { database } from '@/src/database/client';
import { env } from '@/src/env';
import { createTenant } from '../helpers/accounts';
import { withOwnDatabase } from '../webhooks/own-database';
import { differences } from './kept-rows';
import { query } from './query';

const file = join(__dirname, '../../prisma/migrations/20261127130000_dotless_i/migration.sql');

withOwnDatabase();

const run = (sql: string) => query(env().DATABASE_URL ?? '', sql);

const versionOf = async (id: string) =>
  (await database().user.findUniqueOrThrow({ where: { id }, select: { version: true } })).version;

test('the letters from A to Z are found whatever their case in a Turkish database too', async () => {
  const capitals = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
  await run("CREATE COLLATION turkish (provider = icu, locale = 'tr-TR')");
  const rows = await database().$queryRaw`
    SELECT lower('I' COLLATE turkish) AS small, folded_text(${capitals} COLLATE turkish) AS folded`;
  await run('DROP COLLATION turkish');
  expect(rows).toEqual([{ small: 'ı', folded: capitals.toLowerCase() }]);
});

test('texts from before are found, under a version that is new where there are some', async () => {
  const [turkish, other] = [await createTenant(), await createTenant()];
  await turkish.testimonial((await turkish.space()).id, { text_content: 'THIS IS IT' });
  await other.testimonial((await other.space()).id, { text_content: 'Those' });
  // As a Turkish database kept it before.
  await run("UPDATE testimonial_texts SET folded = replace(folded, 'i', 'ı')");
  const versions = [await versionOf(turkish.accountId), await versionOf(other.accountId)];
  const find = () => turkish.api.get('/testimonials?search=this');
  expect((await find()).body.pagination.total).toBe(0);
  await run(readFileSync(file, 'utf8'));
  expect((await find()).body.pagination.total).toBe(1);
  expect(await differences()).toEqual([]);
  expect(await versionOf(turkish.accountId)).not.toBe(versions[0]);
  expect(await versionOf(other.accountId)).toBe(versions[1]);
});
