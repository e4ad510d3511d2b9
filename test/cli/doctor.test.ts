import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { runDoctor } from '@/src/cli/doctor';
import { examine, type Finding, well } from '@/src/cli/doctor/finding';
import { migrate } from '@/src/database/migrate';
import { env, provideEnv } from '@/src/env';
import { listen } from '../helpers/listening';
import { openMailServer, stopMailServers } from '../mail/mail-server';

const databaseUrl = env().DATABASE_URL ?? '';
const folder = mkdtempSync(join(tmpdir(), 'doctor-'));
const servers: Server[] = [];

const unset = {
  SMTP_URL: '',
  MAIL_FROM: '',
  PUBLIC_URL: '',
  OPENAI_API_KEY: '',
  OPENAI_BASE_URL: '',
  S3_ENDPOINT: '',
  S3_BUCKET: '',
  S3_ACCESS_KEY_ID: '',
  S3_SECRET_ACCESS_KEY: '',
  WORKERS: '1',
  DATABASE_URL: databaseUrl,
  DATABASE_READ_URLS: '',
  DATA_FOLDER: folder,
};

beforeEach(() => provideEnv(unset));

afterEach(async () => {
  for (const server of servers.splice(0)) server.close();
  await stopMailServers();
  provideEnv(unset);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  return `http://127.0.0.1:${await listen(server)}`;
}

async function doctor(args: string[] = []) {
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line);
  const code = await runDoctor(args, { print, say: print });
  const text = lines.join('\n');
  /** What it says about one thing, and the advice below it. */
  const about = (name: string) =>
    lines.filter((line, index) => {
      const own = line.startsWith('      ') ? lines[index - 1] : line;
      return own?.slice(6).startsWith(`${name}: `);
    });
  return { code, text, about };
}

test('a database with every migration is well, with its version and clock', async () => {
  const { text } = await doctor();
  expect(text).toMatch(/^ok {4}database: .*Postgres \d+.* answers$/m);
  expect(text).toMatch(/^ok {4}migrations: all are applied$/m);
  expect(text).toMatch(/^ok {4}clock: the database's clock is \d/m);
  expect(text).toMatch(/^ok {4}data folder: .* can be written$/m);
  expect(text).toMatch(/^ok {4}bucket: none/m);
});

test('a data folder below a link that leads nowhere must be mended', async () => {
  const link = join(folder, 'link');
  symlinkSync(join(folder, 'gone'), link);
  provideEnv({ DATA_FOLDER: join(link, 'data') });
  expect((await doctor()).about('data folder')).toEqual([
    `MEND  data folder: ${join(link, 'data')} cannot be made: the link ${link} leads nowhere`,
    expect.stringContaining('Make the folder that it leads to'),
  ]);
});

// The embedded database has one locale, which folds them all.
const onServer = process.env.TEST_DATABASE_URL ? test : test.skip;

test('of a database that folds all letters, nothing is said about search', async () => {
  expect((await doctor()).about('search')).toEqual([]);
});

onServer('a database in which search tells Ä from ä is doubtful, with what to do', async () => {
  const name = `doctor_${randomUUID().replaceAll('-', '')}`;
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8' LC_CTYPE 'C' LC_COLLATE 'C'`,
    );
    const url = new URL(databaseUrl);
    url.pathname = `/${name}`;
    provideEnv({ DATABASE_URL: url.href });
    expect((await doctor()).about('search')).toEqual([
      expect.stringMatching(/^look/),
      expect.stringContaining('LC_CTYPE'),
    ]);
  } finally {
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await client.end();
  }
});

onServer('one that cannot store every letter must be mended, and is never migrated', async () => {
  const name = `doctor_${randomUUID().replaceAll('-', '')}`;
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'LATIN1' LC_CTYPE 'C' LC_COLLATE 'C'`,
    );
    const url = new URL(databaseUrl);
    url.pathname = `/${name}`;
    await expect(migrate({ url: url.href, log: () => {} })).rejects.toThrow(
      'The database is encoded LATIN1',
    );
    provideEnv({ DATABASE_URL: url.href });
    const { text, about } = await doctor();
    expect(about('database')).toContainEqual(
      expect.stringMatching(/^MEND .* is encoded LATIN1.* ENCODING 'UTF8'/),
    );
    expect(text).toMatch(/migrations: \d+ are not applied yet/);
  } finally {
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await client.end();
  }
});

onServer('what a database refuses, or keeps of what was given up, is found', async () => {
  const name = `doctor_${randomUUID().replaceAll('-', '')}`;
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(`CREATE ROLE ${name} LOGIN PASSWORD '${name}'`);
    await client.query(`CREATE DATABASE ${name}`);
    const url = new URL(databaseUrl);
    url.pathname = `/${name}`;
    const owner = new Client({ connectionString: url.href });
    await owner.connect();
    await owner.query('REVOKE CREATE ON SCHEMA public FROM public');
    await owner.end();
    Object.assign(url, { username: name, password: name });
    provideEnv({ DATABASE_URL: url.href });
    expect((await doctor()).about('database')).toContainEqual(
      expect.stringMatching(/^MEND .*: its user may not make tables/),
    );
    const left = expect.stringMatching(/^look .*: statements that wait for a lock keep/);
    expect((await doctor()).about('database')).toContainEqual(left);
    await client.query(`ALTER DATABASE ${name} SET client_connection_check_interval = '2s'`);
    await client.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    const { code, about } = await doctor();
    expect(code).toBe(1);
    expect(about('database')).not.toContainEqual(left);
    expect(about('database')).toContainEqual(
      expect.stringMatching(/^MEND .*: it takes no writes$/),
    );
  } finally {
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await client.query(`DROP ROLE IF EXISTS ${name}`);
    await client.end();
  }
});

test('a database that is not there must be mended, and its password is not told', async () => {
  provideEnv({ DATABASE_URL: 'postgresql://me:s3cret%21@127.0.0.1:1/none' });
  const { code, text, about } = await doctor();
  expect(code).toBe(1);
  expect(about('database')).toEqual([
    expect.stringMatching(/^MEND {2}database: not reached: connect ECONNREFUSED/),
    expect.stringMatching(/→ Check DATABASE_URL/),
  ]);
  expect(text).not.toMatch(/s3cret/);
});

test('a replica that is none, or is not there, must be mended', async () => {
  const { host, pathname } = new URL(databaseUrl);
  const gone = 'postgresql://me:s3cret%21@127.0.0.1:1/none';
  provideEnv({ DATABASE_READ_URLS: `${databaseUrl},${gone}` });
  const { code, text, about } = await doctor();
  expect(code).toBe(1);
  expect(about(`replica ${host}${pathname}`)[0]).toMatch(/^MEND /);
  expect(about('replica 127.0.0.1:1/none')).toEqual([
    expect.stringMatching(/^MEND .*: not asked: connect ECONNREFUSED/),
    expect.stringMatching(/→ .*DATABASE_READ_URLS/),
  ]);
  expect(text).not.toMatch(/s3cret/);
});

test.each(['x', '--x'])('an argument that it does not know is exit code 2: %s', async (given) => {
  const { code, text } = await doctor([given]);
  expect(code).toBe(2);
  expect(text).toMatch(/^Un.* Add --help to see the usage\.$/);
});

test('variables that cannot be read are all that it says', async () => {
  provideEnv({ WORKERS: 'many' });
  const { code, text } = await doctor();
  expect(code).toBe(1);
  expect(text).toMatch(
    /^MEND {2}environment: [\s\S]*WORKERS: must be auto or a whole number from 1 to 64/,
  );
});

test('a speech-to-text service is asked for its models', async () => {
  const base = await serve((request, response) => {
    const isKnown = request.headers.authorization === 'Bearer sk-right-key';
    response.statusCode = isKnown ? 200 : 401;
    response.end(JSON.stringify({ data: [{ id: 'whisper-1' }] }));
  });
  const look = async (settings: Record<string, string>) => {
    provideEnv({ OPENAI_BASE_URL: `${base}/v1`, ...settings });
    return (await doctor()).about('transcription')[0];
  };
  expect(await look({ OPENAI_API_KEY: 'sk-right-key' })).toMatch(/^ok .* has whisper-1$/);
  expect(await look({ OPENAI_API_KEY: 'sk-wrong-key' })).toMatch(
    /^MEND .* refuses the key \(401\)$/,
  );
  const other = { OPENAI_API_KEY: 'sk-right-key', TRANSCRIPTION_MODEL: 'other' };
  expect(await look(other)).toMatch(/^MEND .* does not have other$/);
  provideEnv({ TRANSCRIPTION_MODEL: '' });
});

test('into a bucket it stores a file, which all can read and it removes, and of a refusal it tells the code alone', async () => {
  const asked: string[] = [];
  let status = 200;
  let isPublic = true;
  const endpoint = await serve((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    if (request.method === 'GET' && isPublic) return response.end('written by npm run doctor');
    response.statusCode = request.method === 'GET' ? 403 : status;
    response.end('<Error><Code>AccessDenied</Code><Key>the-access-key</Key></Error>');
    request.resume();
  });
  provideEnv({
    S3_ENDPOINT: endpoint,
    S3_BUCKET: 'files',
    S3_ACCESS_KEY_ID: 'the-access-key',
    S3_SECRET_ACCESS_KEY: 'the-secret-key',
  });
  expect((await doctor()).about('bucket')).toEqual([expect.stringMatching(/^ok /)]);
  expect(asked.map((line) => line.split(' ')[0])).toEqual(['PUT', 'GET', 'DELETE']);
  expect(new Set(asked.map((line) => line.split(' ')[1])).size).toBe(1);
  isPublic = false;
  expect((await doctor()).about('bucket')).toEqual([
    `MEND  bucket: a file that was stored cannot be read at its public address: ${endpoint} answers 403`,
    expect.stringContaining('Let the bucket be read in public'),
  ]);
  expect(asked.at(-1)).toMatch(/^DELETE/);
  status = 403;
  const { about, text } = await doctor();
  expect(about('bucket')[0]).toBe('MEND  bucket: it answers 403 AccessDenied');
  expect(text).not.toMatch(/the-(access|secret)-key/);
});

test('a mail server that refuses the login must be mended', async () => {
  const server = createTcpServer((socket) => {
    socket.on('error', () => {}).write('220 here\r\n');
    socket.on('data', (data) => {
      const isGreeting = /^EHLO/.test(String(data));
      socket.write(isGreeting ? '250-here\r\n250 AUTH PLAIN\r\n' : '535 not hunter2\r\n');
    });
  });
  const port = await listen(server);
  provideEnv({
    SMTP_URL: `smtp://me:hunter2@127.0.0.1:${port}?ignoreTLS=true`,
    MAIL_FROM: 'me@example.com',
  });
  const { text, about } = await doctor();
  server.close();
  expect(about('mails')).toEqual([
    expect.stringMatching(/^MEND .* does not let us in \(EAUTH, 535\)$/),
    expect.stringMatching(/→ Check user and password in SMTP_URL/),
  ]);
  expect(text).not.toMatch(/hunter2/);
});

test('a mail server without TLS must be mended, as nothing is sent to it', async () => {
  const { port } = await openMailServer();
  // This machine, under a name that is none of those known to be.
  const relay = `smtp://[::ffff:127.0.0.1]:${port}`;
  provideEnv({ SMTP_URL: relay, MAIL_FROM: 'me@example.com' });
  const refused = await doctor();
  expect(refused.about('mails')).toEqual([
    expect.stringMatching(/^MEND .* does not let us in \(ETLS/),
    expect.stringMatching(/→ Without TLS nothing is sent/),
  ]);
  provideEnv({ SMTP_URL: `${relay}?ignoreTLS=true` });
  const taken = await doctor();
  expect(taken.about('mails')).toEqual([expect.stringMatching(/^ok .* takes them/)]);
});

test('nothing is waited for longer than its time, and what throws is a finding', async () => {
  const findings: Finding[] = [];
  const checks = [
    { about: 'silent', look: () => new Promise<Finding[]>(() => {}) },
    { about: 'broken', look: () => Promise.reject(new Error('no')) },
    { about: 'fine', look: async () => [well('fine', 'yes')] },
  ];
  for await (const finding of examine(checks, 20)) findings.push(finding);
  expect(findings.map(({ about, state, says }) => [about, state, says])).toEqual([
    ['silent', 'bad', 'no answer within 0.02 s'],
    ['broken', 'bad', 'no'],
    ['fine', 'well', 'yes'],
  ]);
});
