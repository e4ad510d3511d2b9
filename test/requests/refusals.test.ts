import { inHeavyTurn } from '@/src/api/heavy-turns';
import { database } from '@/src/database/client';
import { requestLog } from '@/src/requests/request-log';
import { promised } from '../helpers/promised';
import { createCaller, rowsOf, withRequestLog } from './log';

withRequestLog();

test('over the rate limit, ten of a minute have a row, and all are counted', async () => {
  const { accountId, api } = await createCaller();
  await api.get('/me');
  for (let count = 1; count < 1000; count += 111) {
    await Promise.all(Array.from({ length: 111 }, () => api.get('/me')));
  }
  for (let count = 0; count < 40; count += 1) expect((await api.get('/me')).status).toBe(429);
  await requestLog().stop();
  const rows = await rowsOf(accountId);
  const refused = rows.filter(({ status }) => status === 429);
  expect(refused.reduce((sum, { count }) => sum + count, 0)).toBe(40);
  // The minute may have turned meanwhile.
  expect(refused.length).toBeLessThanOrEqual(2 * 11);
  expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(1040);
  const [summary] = refused.filter(({ count }) => count > 1);
  expect(summary).toMatchObject({ method: null, path: null, key_id: null });
});

test('what comes with a key that is refused has a few rows of a minute too, and all are counted', async () => {
  const { accountId, keyId, api } = await createCaller();
  await database().apiKey.update({ where: { id: keyId }, data: { enabled: false } });
  for (let count = 0; count < 30; count += 1) expect((await api.get('/me')).status).toBe(403);
  await requestLog().stop();
  const rows = await rowsOf(accountId);
  expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(30);
  // The minute may have turned meanwhile.
  expect(rows.length).toBeLessThanOrEqual(2 * 11);
});

test('what is refused as too much at once has a row each, for it has taken of the limit', async () => {
  const { accountId, api } = await createCaller();
  const held = promised<void>();
  const heavy = Array.from({ length: 152 }, () => inHeavyTurn(accountId, () => held.promise));
  for (let count = 0; count < 30; count += 1) {
    expect((await api.get('/testimonials?search=a')).status).toBe(429);
  }
  held.resolve();
  await Promise.all(heavy);
  await requestLog().stop();
  const rows = await rowsOf(accountId);
  expect(rows.map(({ path, count }) => [path, count])).toEqual(
    Array(30).fill(['/testimonials', 1]),
  );
});
