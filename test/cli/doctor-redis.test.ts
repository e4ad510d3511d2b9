import { createServer, type Server } from 'node:net';
import { serviceLimits } from '@/src/cli/doctor/services';
import { provideEnv } from '@/src/env';
import { stopTimers } from '../helpers/clock';
import { listen } from '../helpers/listening';
import { createRedisServer, loaded } from '../helpers/redis-server';
import { doctor, withFewSettings } from './doctor';

withFewSettings();

const servers: Server[] = [];

// Nothing is over by its time, unless a test says so: a command has one second.
beforeEach(() => {
  stopTimers();
});

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** Answers each command by what `answers` has for it, else by OK. */
async function serveRedis(answers: Record<string, string>): Promise<void> {
  const server = createRedisServer((command) => answers[command] ?? '+OK');
  servers.push(server);
  provideEnv({ REDIS_URL: `redis://127.0.0.1:${await listen(server)}` });
}

const counting = {
  info: loaded,
  exec: '*2\r\n$-1\r\n:-2',
  eval: '*2\r\n:1\r\n:1000',
};

const look = async () => (await doctor()).about('Redis');

test('a Redis that counts is told from one that is gone', async () => {
  await serveRedis(counting);
  expect(await look()).toEqual(['ok    Redis: answers, and counts']);
  // The port of one that was closed may be another test's by now.
  provideEnv({ REDIS_URL: 'redis://127.0.0.1:1' });
  expect(await look()).toEqual([
    expect.stringMatching(/^MEND {2}Redis: not reached: .*ECONNREFUSED/),
    expect.stringMatching(/→ Check REDIS_URL/),
  ]);
});

test.each([
  ['eval', "READONLY You can't write against a read only replica."],
  ['exec', 'EXECABORT Transaction discarded because of: NOPERM this user has no permissions'],
])('one that refuses %s, by which requests are counted, must be mended', async (name, refusal) => {
  await serveRedis({ ...counting, [name]: `-${refusal}` });
  expect(await look()).toEqual([
    `MEND  Redis: does not count: ${refusal}`,
    expect.stringMatching(/→ Name one in REDIS_URL that takes writes, with a user that may/),
  ]);
});

test.each([
  ["OOM command not allowed when used memory > 'maxmemory'.", /→ Give it more memory/],
  ["NOPERM this user has no permissions to run the 'get' command", /→ .* with a user that may/],
])('of a transaction that is thrown away it tells why: %s', async (refusal, mend) => {
  const thrownAway = '-EXECABORT Transaction discarded because of previous errors.';
  await serveRedis({ ...counting, get: `-${refusal}`, exec: thrownAway });
  expect(await look()).toEqual([
    `MEND  Redis: does not count: ${refusal}`,
    expect.stringMatching(mend),
  ]);
});

test.each([
  ['select', 'ERR DB index is out of range', /→ Name a database in REDIS_URL/],
  ['info', 'BUSY Redis is busy running a script.', /→ End the script/],
])('of one that refuses %s as it is reached it tells what to do', async (name, refusal, mend) => {
  await serveRedis({ ...counting, [name]: `-${refusal}` });
  provideEnv({ REDIS_URL: `${process.env.REDIS_URL}/99` });
  expect(await look()).toEqual([
    `MEND  Redis: not reached: ${refusal}`,
    expect.stringMatching(mend),
  ]);
});

test('of one that closes each connection it is told why, where it says so', async () => {
  let said = '-DENIED Redis is running in protected mode. In this mode, and so on.\r\n';
  const redis = createServer((socket) => socket.on('error', () => {}).end(said));
  servers.push(redis);
  provideEnv({ REDIS_URL: `redis://127.0.0.1:${await listen(redis)}` });
  expect(await look()).toEqual([
    'MEND  Redis: not reached: DENIED Redis is running in protected mode',
    expect.stringMatching(/→ Have it want a password/),
  ]);
  said = '-ERR max number of clients reached\r\n';
  expect(await look()).toEqual([
    'MEND  Redis: not reached: ERR max number of clients reached',
    expect.stringMatching(/→ .*maxclients/),
  ]);
  said = '';
  expect(await look()).toEqual([
    expect.stringMatching(/^MEND {2}Redis: not reached: /),
    expect.stringMatching(/→ .* rediss:\/\//),
  ]);
});

test('one that wants another password must be mended', async () => {
  await serveRedis({ hello: '-NOAUTH HELLO must be called with the client already authenticated' });
  expect(await look()).toEqual([
    expect.stringMatching(/^MEND {2}Redis: not reached: NOAUTH/),
    expect.stringMatching(/→ Check user and password in REDIS_URL/),
  ]);
});

test('one that reads its data is not waited for until it has', async () => {
  jest.useRealTimers();
  jest.replaceProperty(serviceLimits, 'answerMs', 100);
  const reading = 'loading:1\r\nloading_eta_seconds:3600';
  await serveRedis({ info: `$${reading.length}\r\n${reading}` });
  expect(await look()).toEqual([
    'MEND  Redis: not reached: it was not ready in time',
    expect.stringMatching(/→ Try again once it has read its data/),
  ]);
  jest.restoreAllMocks();
});
