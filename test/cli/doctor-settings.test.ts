import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { examine, type Finding } from '@/src/cli/doctor/finding';
import { settingsChecks } from '@/src/cli/doctor/settings';
import { answerLive } from '@/src/database/health';
import { parseEnv } from '@/src/env';
import { listen } from '../helpers/listening';

/** What is found about one of these settings: whether it is well, and what is said. */
async function look(about: string, settings: Record<string, string> = {}) {
  const found: Finding[] = [];
  const checks = settingsChecks(parseEnv(settings)).filter((check) => check.about === about);
  for await (const finding of examine(checks, 10_000)) found.push(finding);
  return found.map(({ state, says }) => [state, says]);
}

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A server that answers every look at the service's health so, and remembers what was asked. */
async function answering(status: number, headers: Record<string, string> = {}, body = '') {
  const asked: (string | undefined)[] = [];
  const server = createServer(({ url }, response) => {
    asked.push(url);
    response.writeHead(url === '/elsewhere' ? 200 : status, headers).end(body);
  });
  servers.push(server);
  return { url: `http://127.0.0.1:${await listen(server)}`, asked };
}

test('without SECRET_KEY it is doubtful whether a database of several instances opens its secrets', async () => {
  const DATABASE_URL = 'postgresql://host/name';
  const SECRET_KEY = 'x'.repeat(40);
  expect(await look('SECRET_KEY', { DATABASE_URL, SECRET_KEY })).toEqual([['well', 'set']]);
  const DATA_FOLDER = mkdtempSync(join(tmpdir(), 'doctor-settings-'));
  try {
    const made = `not set: one is made in ${DATA_FOLDER} at the start`;
    expect(await look('SECRET_KEY', { DATA_FOLDER })).toEqual([['well', made]]);
    writeFileSync(join(DATA_FOLDER, 'secret-key'), SECRET_KEY);
    const kept = `not set: one is kept in ${DATA_FOLDER}`;
    expect(await look('SECRET_KEY', { DATA_FOLDER })).toEqual([['well', kept]]);
    expect(await look('SECRET_KEY', { DATABASE_URL, DATA_FOLDER })).toEqual([['doubtful', kept]]);
  } finally {
    rmSync(DATA_FOLDER, { recursive: true });
  }
});

describe('PUBLIC_URL', () => {
  const SMTP_URL = 'smtp://127.0.0.1:1';

  test('must be set where mails are sent, whose links begin with it, and may be elsewhere', async () => {
    expect(await look('PUBLIC_URL')).toEqual([['doubtful', 'not set']]);
    expect(await look('PUBLIC_URL', { SMTP_URL, MAIL_FROM: 'a@example.com' })).toEqual([
      ['bad', 'not set, so no mails are sent: their links begin with it'],
    ]);
  });

  test('that leads to the service is well', async () => {
    const { url, asked } = await answering(200, {}, await answerLive().text());
    expect(await look('PUBLIC_URL', { PUBLIC_URL: url })).toEqual([['well', `${url} answers`]]);
    expect(asked).toEqual(['/api/health/live']);
  });

  test.each([404, 302, 503])(
    'that leads to something which answers %d is doubtful',
    async (status) => {
      const { url, asked } = await answering(status, { location: '/elsewhere' });
      expect(await look('PUBLIC_URL', { PUBLIC_URL: url })).toEqual([
        ['doubtful', `${url}/api/health/live answers ${status}`],
      ]);
      expect(asked).toEqual(['/api/health/live']);
    },
  );

  test.each(['<html>Our shop</html>', '', '{"status":"ok"} or so'])(
    'that leads to another site, which answers every path by %j, is doubtful',
    async (body) => {
      const { url } = await answering(200, {}, body);
      expect(await look('PUBLIC_URL', { PUBLIC_URL: url })).toEqual([
        ['doubtful', `${url}/api/health/live answers 200, and not as the service`],
      ]);
    },
  );

  test('that leads nowhere is doubtful, and one without TLS beyond this machine is too', async () => {
    jest.spyOn(global, 'fetch').mockRejectedValue(new Error('fetch failed'));
    const notReached = (origin: string) => ['doubtful', `${origin} is not reached: fetch failed`];
    for (const origin of ['https://a.example', 'http://localhost:3000', 'http://[::1]']) {
      expect(await look('PUBLIC_URL', { PUBLIC_URL: origin })).toEqual([notReached(origin)]);
    }
    const origin = 'http://a.example';
    expect(await look('PUBLIC_URL', { PUBLIC_URL: origin })).toEqual([
      ['doubtful', `${origin} is not encrypted`],
      notReached(origin),
    ]);
  });
});

test('TRUSTED_PROXIES is well where it names the proxy alone, or where there is none', async () => {
  const PUBLIC_URL = 'https://a.example';
  const about = (settings: Record<string, string>) => look('TRUSTED_PROXIES', settings);
  expect(await about({})).toEqual([['well', 'not set, nor is PUBLIC_URL']]);
  expect(await about({ PUBLIC_URL })).toEqual([['doubtful', 'not set, while PUBLIC_URL is']]);
  expect(await about({ PUBLIC_URL, TRUSTED_PROXIES: '10.0.0.1,10.0.0.2' })).toEqual([
    ['well', '10.0.0.1, 10.0.0.2'],
  ]);
  expect(await about({ PUBLIC_URL, TRUSTED_PROXIES: '0.0.0.0/0' })).toEqual([
    ['doubtful', 'has strangers among those who are trusted'],
  ]);
});

test('more WORKERS than there are cores are doubtful', async () => {
  const cores = availableParallelism();
  const says = (workers: number | string) => `${workers} on ${cores} cores`;
  for (const workers of ['auto', cores]) {
    expect(await look('WORKERS', { WORKERS: `${workers}` })).toEqual([['well', says(workers)]]);
  }
  expect(await look('WORKERS', { WORKERS: `${cores + 1}` })).toEqual([
    ['doubtful', says(cores + 1)],
  ]);
});
