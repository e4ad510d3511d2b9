import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { Settings } from './processes';

/** A database with nothing in it, and the settings that make a service use it. */
export type FreshDatabase = { settings: Settings; folder: string; remove(): Promise<void> };

/** Embedded in a new folder, or new on the server. */
export async function freshDatabase(server: string | undefined): Promise<FreshDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'testimonials-smoke-'));
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  if (!server) {
    const settings = { DATA_FOLDER: folder, LOG_LEVEL: 'info' };
    return { settings, folder, remove: async () => removeFolder() };
  }
  const name = `testimonials_smoke_${randomBytes(6).toString('hex')}`;
  await runOn(server, `CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    settings: { DATA_FOLDER: folder, LOG_LEVEL: 'info', DATABASE_URL: url.href },
    folder,
    remove: async () => {
      removeFolder();
      await runOn(server, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

async function runOn(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(sql);
  await client.end();
}
