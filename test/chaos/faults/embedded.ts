/** Strangers at the embedded database, and a disk without room for it. */
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { freshDatabase } from '../../smoke/databases';
import type { Result } from '../report';
import { inScene, type Scene } from '../scene';
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
/** Until its log has no room it refuses; from then on the watchdog gives a statement seconds. */
const endTimeoutMs = 180_000;
/** How long the disk stays full once the process has ended. */
const stillFullMs = 2_000;
/** What whoever supervises the process waits before it starts it again. */
const restartMs = 500;

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

/**
 * Either the database can still refuse what finds no room, and goes on once there is some, or it
 * stops for ever, and the process has to end and say so.
 */
function fill(folder: string): Promise<Result> {
  const settings = { DATA_FOLDER: join(folder, 'data') };
  const ballast = join(folder, 'ballast');
  return inScene({ settings }, async (scene) => {
    const load = scene.load({ pauseMs: 0, textCharacters: 40_000 });
    await sleep(1_000);
    takeAllRoom(ballast);
    const fullAt = performance.now();
    const late = sleep(endTimeoutMs, undefined, { ref: false });
    const exit = await Promise.race([scene.service.ended, late]);
    const endedSeconds = (performance.now() - fullAt) / 1000;
    if (exit) await load.stop();
    const restarted = exit ? supervise(scene) : undefined;
    if (exit) await sleep(stillFullMs);
    rmSync(ballast);
    const roomAt = performance.now();
    const vain = await restarted;
    const recoverySeconds = await (exit ? scene.load() : load).recovered(roomAt);
    const isClear = !exit || /has not answered a statement|No space left/.test(exit.said);
    return scene.finish({
      name: 'disk full, embedded database',
      recoverySeconds,
      note: exit
        ? `ended by itself after ${endedSeconds.toFixed(0)} s, started again by a supervisor, ${vain} times in vain`
        : 'refused writes and went on',
      problems: isClear ? [] : [`said: ${exit.said.slice(-300)}`],
    });
  });
}

/** Starts the service again until it stays. Returns how often that was in vain. */
async function supervise(scene: Scene): Promise<number> {
  for (let vain = 0; ; vain++) {
    try {
      await scene.restart();
      return vain;
    } catch {
      await sleep(restartMs);
    }
  }
}

function takeAllRoom(file: string): void {
  const block = Buffer.alloc(64 * 1024);
  try {
    for (;;) appendFileSync(file, block);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
  }
}
