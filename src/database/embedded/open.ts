/**
 * Postgres without a server: the database runs in a worker thread of this process and is served on
 * the loopback interface, so everything else sees an ordinary DATABASE_URL. For processes that run
 * the sources as they are: the worker is a file beside this one, which a bundle would not have.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { join, resolve } from 'node:path';
import { inspect } from 'node:util';
import { Worker } from 'node:worker_threads';
import { makeDataFolder } from '../../file-system/data-folder';
import { copyEmptyDatabase } from './empty-database';
import { lockFolder, readServedDatabase, type ServedDatabase } from './folder-lock';
import { freeBytes, isFull, requireFreeSpace, watchFreeSpace } from './free-space';
import { createWorkClock, watchWork } from './watchdog';
import type { WorkerMessage, WorkerOptions, WorkerRequest } from './worker';

const userName = 'postgres';
const databaseName = 'postgres';
/** Without which Postgres takes a folder for none of its own. */
const versionFile = 'PG_VERSION';
const closeTimeoutMs = 10_000;
const maintenanceIntervalMs = 60_000;
const idleTransactionMs = 5_000;

/** How long one piece of work may take: to open the database, to apply one migration. */
const preparationMs = 600_000;
/** And once it serves: a statement, or the vacuum of one table. */
const statementMs = 60_000;
/** Longer than that: who waits for an answer waits for the statements of others as well. */
const socketTimeoutSeconds = 120;

export type EmbeddedDatabase = {
  /** A `postgresql://` address on the loopback interface, valid until `close`. */
  url: string;
  /**
   * Once it serves: ends the process where one statement takes longer than `ms`, a minute unless
   * told otherwise. Until then, what prepares it has ten.
   */
  limitStatements(ms?: number): void;
  /** Disconnects everyone, closes the database and lets go of its folder. */
  close(): Promise<void>;
};

export type TemporaryDatabase = EmbeddedDatabase & {
  /** The whole database, for another `openTemporary` to start from; some 40 MB. */
  takeSnapshot(): Promise<Uint8Array<ArrayBuffer>>;
};

/**
 * Opens the database of a data folder, creating both where they do not exist. A row whose commit
 * was answered survives the death of this process. Throws a FolderLockedError where another process
 * has the folder, and an Error that says what to do where the database cannot be opened. Should the
 * database fail later, or not answer, the process ends with an uncaught exception.
 */
export async function openEmbedded({
  isServed = true,
  say,
  ...options
}: {
  folder: string;
  /** Told where it takes seconds to see whether another container or machine has the folder. */
  say?: (line: string) => void;
  /** Whether `findEmbedded` tells other processes of it; not, where it is closed again soon. */
  isServed?: boolean;
  /** How long a transaction may be open without a word; 5 s, where others wait for it. */
  idleTransactionMs?: number;
  /** Of the database, by name, for as long as it is open. */
  settings?: Record<string, string>;
}): Promise<EmbeddedDatabase> {
  const folder = resolve(options.folder);
  makeDataFolder(folder);
  requireFreeSpace(folder);
  const lock = await lockFolder(folder, { say, onLost: () => endProcess(lostError(folder)) });
  let database: WorkerDatabase | undefined;
  try {
    const dataFolder = join(folder, 'postgres');
    const finishCreation = await prepareDataFolder(folder, dataFolder);
    database = await startWorker({ ...options, folder: dataFolder });
    finishCreation();
    if (isServed) lock.publish(database.service);
    const stopWatchingSpace = watchFreeSpace(folder);
    const { url, limitStatements, close } = database;
    return {
      url,
      limitStatements,
      close: async () => {
        stopWatchingSpace();
        await close();
        lock.release();
      },
    };
  } catch (error) {
    // Before the lock is gone: two that have one folder open would destroy it.
    await database?.close();
    lock.release();
    throw error;
  }
}

/** Whether the folder holds a database. */
export function hasEmbedded(folder: string): boolean {
  return existsSync(join(folder, 'postgres', versionFile));
}

/** The address of the database that another live process opened from the folder, if one did. */
export function findEmbedded(folder: string): string | undefined {
  const service = readServedDatabase(resolve(folder));
  return service && toUrl(service);
}

/** What the backend clears when it starts, at a cost that shows where many are opened. */
const fewBuffers = { shared_buffers: '16MB' };

/** Opens a database in memory, empty or as it was when `snapshot` was taken. For tests. */
export function openTemporary(
  options: Partial<
    Pick<WorkerOptions, 'snapshot' | 'addresses' | 'maintenanceIntervalMs' | 'idleTransactionMs'>
  > = {},
): Promise<TemporaryDatabase> {
  return startWorker({ ...options, settings: fewBuffers });
}

/**
 * Creation is not atomic, so it is bracketed by a marker: a database that still has it was never
 * handed out, holds nobody's rows, and is created anew. Resolves to what removes the marker.
 */
async function prepareDataFolder(folder: string, dataFolder: string): Promise<() => void> {
  const marker = join(folder, 'postgres.incomplete');
  if (existsSync(marker)) {
    rmSync(dataFolder, { recursive: true, force: true });
  }
  if (!existsSync(dataFolder) || readdirSync(dataFolder).length === 0) {
    writeFileSync(marker, '');
    mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
    await copyEmptyDatabase(dataFolder);
  } else if (!existsSync(join(dataFolder, versionFile))) {
    throw openingError(dataFolder, `its file ${versionFile} is missing`);
  }
  return () => rmSync(marker, { force: true });
}

type WorkerDatabase = TemporaryDatabase & { service: ServedDatabase };

async function startWorker(options: Partial<WorkerOptions>): Promise<WorkerDatabase> {
  const password = randomBytes(24).toString('hex');
  const clock = createWorkClock();
  const workerData: WorkerOptions = {
    maintenanceIntervalMs,
    idleTransactionMs,
    clock,
    ...options,
    user: userName,
    database: databaseName,
    password,
  };
  const worker = new Worker(join(__dirname, 'worker.ts'), {
    workerData,
    // Set here because a worker does not inherit the loader of `node --import tsx`.
    execArgv: ['--require', require.resolve('tsx/cjs')],
  });
  const ask = (request: WorkerRequest) => worker.postMessage(request);
  const watchdog = watchWork(clock, {
    limitMs: preparationMs,
    isHopeless: () => options.folder !== undefined && isFull(options.folder),
    onStuck: (ms) => endProcess(stuckError(options.folder, ms)),
  });
  const first = await nextMessage(worker).catch((error: unknown) => {
    watchdog.stop();
    throw error;
  });
  if (first.kind !== 'ready') {
    watchdog.stop();
    await worker.terminate();
    throw openingError(options.folder, first.kind === 'open-failed' ? first.reason : first.kind);
  }
  const stopWatching = endProcessWithWorker(worker);
  const service = { host: first.host, port: first.port, password };
  return {
    service,
    url: toUrl(service),
    limitStatements: (ms = statementMs) => watchdog.limit(ms),
    close: async () => {
      watchdog.stop();
      stopWatching();
      const deadline = setTimeout(() => void worker.terminate(), closeTimeoutMs);
      const exited = new Promise((resolve) => worker.once('exit', resolve));
      ask({ kind: 'close' });
      await exited;
      clearTimeout(deadline);
    },
    takeSnapshot: async () => {
      ask({ kind: 'snapshot' });
      const message = await nextMessage(worker);
      if (message.kind !== 'snapshot') {
        throw new Error(`The embedded database answered "${message.kind}" to a snapshot.`);
      }
      return message.bytes;
    },
  };
}

/** The worker's next message; rejects if it fails or exits instead. */
function nextMessage(worker: Worker): Promise<WorkerMessage> {
  return new Promise((resolve, reject) => {
    const settle = (end: () => void) => {
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      end();
    };
    const onMessage = (message: WorkerMessage) => settle(() => resolve(message));
    const onError = (error: unknown) => settle(() => reject(error));
    const onExit = () => settle(() => reject(new Error('The embedded database has stopped.')));
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
  });
}

/**
 * Nothing works without the database, so its end is not to be survived. Returns what allows it to end;
 * that it failed is told all the same, since who uses it may close it for that very reason.
 */
function endProcessWithWorker(worker: Worker): () => void {
  const onError = (cause: unknown) =>
    endProcess(new Error('The embedded database failed.', { cause }));
  const onExit = () => endProcess(new Error('The embedded database has stopped.'));
  worker.on('error', onError).on('exit', onExit);
  return () => worker.off('exit', onExit);
}

/**
 * Ends the process and says why. Not by an error that nobody catches: Next listens for those, writes
 * them down and goes on.
 */
function endProcess(error: Error): never {
  process.stderr.write(`${inspect(error)}\n`);
  process.exit(1);
}

function stuckError(folder: string | undefined, ms: number): Error {
  const place = folder === undefined ? 'in memory' : `in ${folder}`;
  const room = folder === undefined ? '' : roomIn(folder);
  return new Error(
    `The embedded database ${place}${room} has not answered a statement for ` +
      `${Math.round(ms / 1000)} s: ending, so that it can be started anew. Nothing that was ` +
      'confirmed is lost. With a full disk, make room first.',
  );
}

/** Nothing where nobody can tell, as of a disk that is gone: to end comes first. */
function roomIn(folder: string): string {
  try {
    return ` (where ${freeBytes(folder)} bytes are free)`;
  } catch {
    return '';
  }
}

function lostError(folder: string): Error {
  return new Error(
    `Another process took the data folder ${folder} while this one stood still: ending, since two ` +
      'that write to it lose rows.',
  );
}

function openingError(folder: string | undefined, reason: string): Error {
  if (folder === undefined) return new Error(`The temporary database cannot be opened: ${reason}`);
  const version = join(folder, versionFile);
  const major = existsSync(version) && readFileSync(version, 'utf8').trim();
  const isOtherMajor = reason.includes('initialized by PostgreSQL version');
  const advice = isOtherMajor
    ? `It was made by Postgres ${major}. Go back to the version of this service that made it and ` +
      'move the data with pg_dump, or set DATABASE_URL to a Postgres server that has the data.'
    : 'Restore that folder from a backup. To begin with an empty database instead, move it away.';
  return new Error(`The embedded database in ${folder} cannot be opened: ${reason}\n${advice}`);
}

function toUrl({ host, port, password }: ServedDatabase): string {
  const named = isIPv6(host) ? `[${host}]` : host;
  const address = `postgresql://${userName}:${password}@${named}:${port}/${databaseName}`;
  return `${address}?sslmode=disable&pgbouncer=true&socket_timeout=${socketTimeoutSeconds}`;
}
