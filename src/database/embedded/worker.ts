/**
 * The worker thread that runs the embedded database and serves it over the Postgres protocol.
 * It has a thread of its own because the database computes in WebAssembly, without ever yielding.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { PGlite } from '@electric-sql/pglite';
import { maintain } from './maintenance';
import { createSession, type RunStatement } from './session';
import { onTheClock, type WorkClock } from './watchdog';
import { readPanic } from './wire-protocol';
import { createWireServer, type ListeningAt, type WireServer } from './wire-server';

export type WorkerOptions = {
  /** Where the database lives; in memory when undefined. Its parent folder must exist. */
  folder?: string;
  /** An answer to `snapshot`, to start an in-memory database from. */
  snapshot?: Uint8Array<ArrayBuffer>;
  user: string;
  database: string;
  password: string;
  /** Of the database, by name, for as long as it is open. */
  settings?: Record<string, string>;
  /** Addresses to be served at, the first that the machine has; the loopback interface's unless given. */
  addresses?: readonly string[];
  maintenanceIntervalMs: number;
  idleTransactionMs: number;
  clock: WorkClock;
};

export type WorkerRequest = { kind: 'close' } | { kind: 'snapshot' };

export type WorkerMessage =
  | ({ kind: 'ready' } & ListeningAt)
  | { kind: 'snapshot'; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'open-failed'; reason: string };

const shortLog = { min_wal_size: '32MB', max_wal_size: '64MB' };

/** Of what the database complains about, for the reason why it cannot be opened. */
const maxLogLines = 100;

const toldToClients = [
  'server_version',
  'server_encoding',
  'client_encoding',
  'DateStyle',
  'IntervalStyle',
  'TimeZone',
  'integer_datetimes',
  'standard_conforming_strings',
];

async function main(options: WorkerOptions): Promise<void> {
  countMicroseconds();
  const log: string[] = [];
  let database: PGlite;
  try {
    // Not at the top of the file: from there the loader of TypeScript would go through all of it, at
    // twice the cost of loading it.
    const { PGlite } = await import('@electric-sql/pglite');
    const { pg_trgm } = await import('@electric-sql/pglite/contrib/pg_trgm');
    database = await onTheClock(options.clock, () =>
      PGlite.create({
        ...(options.folder && { dataDir: options.folder }),
        ...(options.snapshot && { loadDataDir: new WholeBlob(options.snapshot) }),
        extensions: { pg_trgm },
        startParams: [
          ...PGlite.defaultStartParams,
          ...Object.entries({ ...shortLog, ...options.settings }).flatMap(([name, value]) => [
            '-c',
            `${name}=${value}`,
          ]),
        ],
        onStderr: (line) => {
          log.push(line);
          log.splice(0, log.length - maxLogLines);
          return true;
        },
      }),
    );
  } catch (error) {
    tell({ kind: 'open-failed', reason: explainOpening(error, log) });
    return;
  }
  const run: RunStatement = <Row>(sql: string, values?: string[]) =>
    onTheClock(options.clock, async () => (await database.query<Row>(sql, values)).rows).catch(
      (error) => {
        // Whoever asked may go on after an error.
        if (error?.severity === 'PANIC') rethrow(error);
        throw error;
      },
    );
  const server = createWireServer({
    execute: (messages) => onTheClock(options.clock, () => execute(database, messages)),
    session: createSession(run, options.user),
    idleTransactionMs: options.idleTransactionMs,
    user: options.user,
    database: options.database,
    password: options.password,
    parameters: await readSettings(database),
    onBackendFailure: rethrow,
  });
  const listeningAt = await server.listen(options.addresses);
  parentPort?.on('message', (request: WorkerRequest) => {
    serve(request, server, database).catch(rethrow);
  });
  const maintainAlone = async () => {
    try {
      await server.runAlone(() => maintain(run));
    } catch (error) {
      if (!database.closed) {
        process.emitWarning(`maintenance of the embedded database failed: ${error}`);
      }
    }
    if (!database.closed) setTimeout(maintainAlone, options.maintenanceIntervalMs).unref();
  };
  setTimeout(maintainAlone, options.maintenanceIntervalMs).unref();
  tell({ kind: 'ready', ...listeningAt });
}

/** Bytes that are wanted as a Blob, without the copies that one makes of them piece by piece. */
class WholeBlob extends Blob {
  readonly #bytes: Uint8Array<ArrayBuffer>;

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    super();
    this.#bytes = bytes;
  }

  override async arrayBuffer(): Promise<ArrayBuffer> {
    return this.#bytes.buffer;
  }
}

async function serve(request: WorkerRequest, server: WireServer, database: PGlite): Promise<void> {
  if (request.kind === 'snapshot') {
    const dump = await server.runAlone(() => database.dumpDataDir('none'));
    tell({ kind: 'snapshot', bytes: new Uint8Array(await dump.arrayBuffer()) });
    return;
  }
  await server.close();
  // Alone, lest maintenance be at work.
  await server.runAlone(() => database.close());
  parentPort?.close();
}

/**
 * Runs whole protocol messages and resolves to the backend's answer. Errors of SQL are part of the
 * answer; a rejection means that the backend itself failed. So it has where it gave up in the middle of a
 * change, as without room for its log: PGlite goes on then, with locks that nobody will ever let go of.
 */
async function execute(database: PGlite, messages: Buffer): Promise<Buffer> {
  const chunks: Buffer[] = [];
  // The streaming call, because the other one also parses every answer and keeps it for ever.
  await database.execProtocolRawStream(messages, {
    // The chunk is a view of the backend's memory, valid during this call only.
    onRawData: (chunk) => chunks.push(Buffer.from(chunk)),
  });
  const output = Buffer.concat(chunks);
  const panic = readPanic(output);
  if (panic !== undefined) throw new Error(panic);
  return output;
}

async function readSettings(database: PGlite): Promise<Record<string, string>> {
  const { rows } = await database.query<{ name: string; setting: string }>(
    'SELECT name, setting FROM pg_settings WHERE name = ANY($1)',
    [toldToClients],
  );
  return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
}

/**
 * Lets the database tell the time in microseconds: it asks `Date.now()`, whose steps are whole
 * milliseconds, so rows written in the same millisecond could not be put in order. The result never
 * leaves the system clock's millisecond, so it follows when that clock is set.
 */
function countMicroseconds(): void {
  const systemNow = Date.now;
  let offset = performance.timeOrigin;
  Date.now = () => {
    const millisecond = systemNow();
    const precise = Math.min(
      Math.max(offset + performance.now(), millisecond),
      millisecond + 0.999,
    );
    offset = precise - performance.now();
    return precise;
  };
}

function explainOpening(error: unknown, log: string[]): string {
  const complaints = log.flatMap((line) => /\b(?:FATAL|PANIC|DETAIL): +(.*)/.exec(line)?.[1] ?? []);
  return complaints.length > 0 ? complaints.join(': ') : String(error);
}

function tell(message: WorkerMessage): void {
  parentPort?.postMessage(message);
}

/** Ends the worker with an `error` event in the main thread. */
function rethrow(error: unknown): void {
  setImmediate(() => {
    throw error;
  });
}

main(workerData).catch(rethrow);
