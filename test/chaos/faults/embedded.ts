/** Strangers at the embedded database, and a disk without room for it. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { freeBytes } from '../../../src/database/embedded/free-space';
import { freshDatabase } from '../../smoke/databases';
import type { Result } from '../report';
import { inScene } from '../scene';
import { findPostgresProgram } from '../servers';

/** What `pg_dump` sets, and the program itself where there is one. */
export async function foreignSettings(): Promise<Result> {
  const { settings, remove } = await freshDatabase(undefined);
  try {
    return await inScene({ settings }, async (scene) => {
      const load = scene.load();
      await sleep(1_000);
      const dump = findPostgresProgram('pg_dump');
      if (dump) spawnSync(dump, ['--schema-only', scene.databaseUrl()], { timeout: 20_000 });
      const client = await connectTo(scene.databaseUrl());
      await client.query(`SELECT set_config('search_path', '', false)`);
      await client.query(`SET timezone TO 'Asia/Kathmandu'`);
      await sleep(500);
      await client.end();
      const recoverySeconds = await load.recovered(performance.now());
      return scene.finish({
        name: 'a client that changes its session, embedded database',
        recoverySeconds,
        note: dump ? 'pg_dump as well' : 'no pg_dump here',
      });
    });
  } finally {
    await remove();
  }
}

/** The fault is held for longer than it may be: the service has to end it. */
export async function heldTransaction(): Promise<Result> {
  const { settings, remove } = await freshDatabase(undefined);
  try {
    return await inScene({ settings }, async (scene) => {
      const load = scene.load();
      await sleep(1_000);
      const client = await connectTo(scene.databaseUrl());
      await client.query('BEGIN');
      const recoverySeconds = await load.recovered(performance.now());
      const result = await scene.finish({
        name: 'a client that holds a transaction, embedded database',
        recoverySeconds,
        note: 'from BEGIN on; the client never leaves',
      });
      await client.end().catch(() => {});
      return result;
    });
  } finally {
    await remove();
  }
}

async function connectTo(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  // It may be cut off.
  client.on('error', () => {});
  await client.connect();
  return client;
}

const diskMegabytes = 256;
const leftMegabytes = 12;
/** The watchdog gives a statement a minute. */
const endTimeoutMs = 120_000;

/** Undefined where no file system of a bounded size can be mounted. */
export async function fullDisk(): Promise<Result | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'testimonials-chaos-disk-'));
  const mounted = spawnSync('mount', [
    '-t',
    'tmpfs',
    '-o',
    `size=${diskMegabytes}m`,
    'tmpfs',
    folder,
  ]);
  try {
    if (mounted.status !== 0) return undefined;
    return await fill(folder);
  } finally {
    if (mounted.status === 0) execFileSync('umount', ['--lazy', folder]);
    rmSync(folder, { recursive: true, force: true });
  }
}

function fill(folder: string): Promise<Result> {
  const settings = { DATA_FOLDER: join(folder, 'data') };
  const ballast = join(folder, 'ballast');
  return inScene({ settings }, async (scene) => {
    const load = scene.load({ pauseMs: 0, timeoutMs: 5_000 });
    await sleep(1_000);
    writeFileSync(
      ballast,
      Buffer.alloc(Math.max(0, freeBytes(folder) - leftMegabytes * 1024 ** 2)),
    );
    const fullAt = performance.now();
    const late = sleep(endTimeoutMs, undefined, { ref: false });
    const exit = await Promise.race([scene.service.ended, late]);
    const endedSeconds = (performance.now() - fullAt) / 1000;
    await load.stop();
    rmSync(ballast);
    const roomAt = performance.now();
    if (!exit) await scene.service.end('SIGKILL');
    await scene.restart();
    const recoverySeconds = await scene.load().recovered(roomAt);
    const isClear = /has not answered a statement|No space left|disk.*full/i.test(exit?.said ?? '');
    return scene.finish({
      name: 'disk full, embedded database',
      recoverySeconds,
      note: exit ? `ended by itself after ${endedSeconds.toFixed(0)} s` : 'did not end',
      problems: [
        ...(exit ? [] : ['the process went on without a database']),
        ...(!exit || isClear ? [] : [`said: ${exit.said.slice(-300)}`]),
      ],
    });
  });
}
