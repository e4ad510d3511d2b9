import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { runDoctor } from '@/src/cli/doctor';
import { env, provideEnv } from '@/src/env';

const databaseUrl = env().DATABASE_URL ?? '';

/**
 * Before and after each test of this file, the settings are the database of the tests, a data folder
 * of the file and nothing else. Returns that folder.
 */
export function withFewSettings(): string {
  const { DATABASE_URL } = env();
  const folder = join(tmpdir(), `doctor-${randomUUID()}`);
  const few = {
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
    DATABASE_URL,
    DATABASE_READ_URLS: '',
    REDIS_URL: '',
    DATA_FOLDER: folder,
  };

  // Not before: where all tests of a file are skipped, nothing would remove it.
  beforeAll(() => mkdirSync(folder));
  beforeEach(() => provideEnv(few));
  afterEach(() => provideEnv(few));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export async function doctor(args: string[] = []) {
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

type Made = { name: string; client: Client; url: URL };

/**
 * Runs a task with an empty database of this form. It is dropped then, and so is a role of its name.
 * `client` is connected to the database of the tests.
 */
export async function withDatabase(
  form: string,
  task: (made: Made) => Promise<void>,
): Promise<void> {
  const name = `doctor_${randomUUID().replaceAll('-', '')}`;
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(`CREATE DATABASE ${name} ${form}`);
    const url = new URL(databaseUrl);
    url.pathname = `/${name}`;
    await task({ name, client, url });
  } finally {
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await client.query(`DROP ROLE IF EXISTS ${name}`);
    await client.end();
  }
}

/** Has the settings and `url` name a new user of the database who has no rights there. */
export async function enterAsStranger({ name, client, url }: Made): Promise<void> {
  await client.query(`CREATE ROLE ${name} LOGIN PASSWORD '${name}'`);
  Object.assign(url, { username: name, password: name });
  provideEnv({ DATABASE_URL: url.href });
}
