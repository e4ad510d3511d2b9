import { GET } from '@/app/api/health/route';
import { answerHealth, answerLive, answerReady } from '@/src/database/health';
import { setStopping } from '@/src/stopping';

test('a database that answers and has every migration is 200', async () => {
  const answer = await GET();
  expect(answer.status).toBe(200);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(await answer.json()).toEqual({ status: 'ok' });
});

test('a database that lacks a migration is 503', async () => {
  const answer = await answerHealth(async () => [{ found: false, isUnfinished: false }]);
  expect(answer.status).toBe(503);
  expect(await answer.json()).toEqual({ status: 'unavailable', reason: 'migrations' });
});

test('a database that rows are still being copied into is 503', async () => {
  const answer = await answerHealth(async () => [{ found: true, isUnfinished: true }]);
  expect(answer.status).toBe(503);
  expect(await answer.json()).toEqual({ status: 'unavailable', reason: 'migrations' });
});

test('a database that a newer version has migrated is 503', async () => {
  const entry = { name: '29990101000000_newer', checksum: '0', finished: true, logs: null };
  const answer = await answerHealth(async () => [{ found: true, isUnfinished: false, ...entry }]);
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

test('the process lives without asking the database', async () => {
  const answer = answerLive();
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({ status: 'ok' });
});

test('a process that stops is not ready, and alive', async () => {
  expect((await answerReady()).status).toBe(200);
  setStopping();
  const answer = await answerReady();
  expect(answer.status).toBe(503);
  expect(await answer.json()).toEqual({ status: 'unavailable', reason: 'stopping' });
  expect(answerLive().status).toBe(200);
});
