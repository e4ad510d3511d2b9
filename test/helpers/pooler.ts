import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { freePort } from './listening';

// The one of Debian; it hands a connection to another client after each transaction, and refuses
// startup parameters that it does not know.
const program = '/usr/sbin/pgbouncer';

/** For tests with PgBouncer before a server, skipped where either is missing. */
export const describeBehindPooler =
  existsSync(program) && process.env.TEST_DATABASE_URL ? describe : describe.skip;

export type Pooler = { url: string; close: () => void };

/** Starts PgBouncer before the database of this address; it answers at `url`. */
export async function openPooler(
  databaseUrl: string,
  poolMode: 'transaction' | 'statement',
): Promise<Pooler> {
  const target = new URL(databaseUrl);
  const name = target.pathname.slice(1);
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'pooler-'));
  const settings = join(folder, 'settings.ini');
  writeFileSync(
    settings,
    `[databases]
${name} = host=${target.hostname} port=${target.port || 5432} user=${target.username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${poolMode}
default_pool_size = 3
`,
  );
  // It refuses to run as root.
  const asNobody = userInfo().uid === 0 ? ['-u', 'nobody'] : [];
  const pooler = spawn(program, [...asNobody, settings], { stdio: 'ignore' });
  const url = `postgresql://${target.username}@127.0.0.1:${port}/${name}`;
  await untilAnswered(url);
  return {
    url,
    close: () => {
      pooler.kill();
      rmSync(folder, { recursive: true });
    },
  };
}

async function untilAnswered(url: string): Promise<void> {
  for (;;) {
    const client = new Client({ connectionString: url });
    try {
      await client.connect();
      return await client.end();
    } catch {
      // Not yet.
    }
  }
}
