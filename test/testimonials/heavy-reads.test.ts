import { setImmediate } from 'node:timers/promises';
import { Prisma } from '@/src/database/generated/client';
import { readHeavy } from '@/src/database/read-heavy';
import { readRows } from '@/src/database/read-rows';
import { createTenant, type Tenant } from '../helpers/accounts';
import { holdHeavyReads } from '../helpers/heavy-reads';
import { onServer } from '../helpers/locks';
import { insertTestimonials } from '../helpers/rows';

async function tenantWithRow(): Promise<Tenant> {
  const tenant = await createTenant();
  await insertTestimonials(await tenant.space(), [{ text_content: 'What a service' }]);
  return tenant;
}

test('two heavy reads of an account run at once; neither its other reads nor other accounts wait', async () => {
  const tenant = await tenantWithRow();
  const other = await tenantWithRow();
  const reads = holdHeavyReads();
  const heavy = [
    'search=service',
    'search=e',
    'offset=5000',
    'sort_by=updated_at',
    'date_from=2026-01-01T00:00:00Z',
  ].map((query) => tenant.api.get(`/testimonials?${query}`));
  while (reads.begun() < 2) await setImmediate();
  expect((await other.api.get('/testimonials?search=service')).body.pagination.total).toBe(1);
  expect((await tenant.api.get('/testimonials')).body.pagination.total).toBe(1);
  // Two of the one account, one of the other.
  expect(reads.begun()).toBe(3);
  reads.release();
  const answers = await Promise.all(heavy);
  expect(answers.map(({ status, body }) => [status, body.pagination.total])).toEqual(
    Array(5).fill([200, 1]),
  );
  expect(reads.begun()).toBe(6);
});

// The embedded database ends no statement.
onServer('a heavy read is ended by the server, and no other statement after it', async () => {
  const limit = Prisma.sql`SELECT current_setting('statement_timeout') AS limit`;
  const usual = await readRows(limit);
  const sleep = Prisma.sql`SELECT pg_sleep(60)`;
  await expect(readHeavy(sleep, { timeoutMs: 20 })).rejects.toMatchObject({ code: '57014' });
  for (let use = 0; use < 10; use++) {
    expect(await readHeavy(limit)).toEqual([{ limit: '20s' }]);
    // Of the same connection, which had rested last.
    expect(await readRows(limit)).toEqual(usual);
  }
});
