import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

/** Runs SQL on a connection of its own and resolves to the rows, where it is one statement. */
export async function query(
  url: string,
  sql: string,
  values?: unknown[],
): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows = [] } = await client.query(sql, values);
    return rows;
  } finally {
    await client.end();
  }
}

/** A new database on the server, with nothing in it, until it is closed. Its name tells what it is for. */
export async function createOnServer(
  server: string,
  purpose: string,
): Promise<{ url: string; close(): Promise<void> }> {
  const name = `testimonials_${purpose}_${randomBytes(6).toString('hex')}`;
  await query(server, `CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    close: async () => {
      await query(server, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

/** Has a setting in each session of the database that begins from now on. */
export async function setForSessions(url: string, setting: string): Promise<void> {
  await query(url, `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET ${setting}`);
}

/** Runs `task` with the address of the database for a user who finds the server full. */
export async function withFullServer(
  url: string,
  task: (full: string) => Promise<void>,
): Promise<void> {
  const role = `full_${randomBytes(6).toString('hex')}`;
  await query(url, `CREATE ROLE ${role} LOGIN PASSWORD '${role}' CONNECTION LIMIT 0`);
  try {
    await task(Object.assign(new URL(url), { username: role, password: role }).href);
  } finally {
    await query(url, `DROP ROLE ${role}`);
  }
}
