import { GET } from '@/app/api/health/route';
import { answerHealth } from '@/src/database/health';

test('a database that answers and has every migration is 200', async () => {
  const answer = await GET();
  expect(answer.status).toBe(200);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(await answer.json()).toEqual({ status: 'ok' });
});

test('a database that lacks a migration is 503', async () => {
  const answer = await answerHealth(async () => [{ found: false }]);
  expect(answer.status).toBe(503);
  expect(await answer.json()).toEqual({ status: 'unavailable', reason: 'migrations' });
});

test('a database that a newer version has migrated is 503', async () => {
  const entry = { name: '29990101000000_newer', checksum: '0', finished: true, logs: null };
  const answer = await answerHealth(async () => [{ found: true, ...entry }]);
  expect(answer.status).toBe(503);
  expect(await answer.json()).toEqual({ status: 'unavailable', reason: 'migrations' });
});

test('a database that fails is 503, and the answer does not quote it', async () => {
  const answer = await answerHealth(() => Promise.reject(new Error('password is hunter2')));
  expect(answer.status).toBe(503);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(await answer.json()).toEqual({ status: 'unavailable', reason: 'database' });
});

test('a database that never answers is 503 once the time is up', async () => {
  const answer = await answerHealth(() => new Promise(() => {}), 1);
  expect(answer.status).toBe(503);
  expect(await answer.json()).toEqual({ status: 'unavailable', reason: 'database' });
});
