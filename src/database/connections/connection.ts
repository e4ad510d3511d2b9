import { Socket } from 'node:net';
import { Client, type ClientConfig } from 'pg';
import { codeOf } from '../../error-parts';
import { readOffsets } from './offsets';
import { traceStatement } from './traced-statement';

/**
 * How long the server may say nothing while something is awaited of it. A lost path shows by silence
 * alone: the system may take a quarter of an hour to notice.
 */
export const defaultSilenceMs = 5_000;

export type ConnectionConfig = ClientConfig & {
  silenceMs?: number | undefined;
  /** Asked where the server has fallen silent: whether it is given the same time once more. */
  isWaiting?: ((session: { processId: number; silentMs: number }) => Promise<boolean>) | undefined;
};

/**
 * Asked for as the session begins, as Java's driver does, so that poolers know it. The driver reads no
 * dates but those of ISO 8601, and a database, or its user, may be set to write others.
 */
const readableDates = { DateStyle: 'ISO, MDY' };

/**
 * A connection that ends itself, and fails what waits for it, when the server has fallen silent:
 * while it connects, while it answers, and while it is told goodbye. One that is awaited for longer,
 * or rests, is given its time by `allowSilence`. A class because the pool wants one.
 */
export class Connection extends Client {
  readonly #isWaiting: ConnectionConfig['isWaiting'];
  /** What had been received when it fell silent, and for how long it has been so. */
  #silence = { received: 0, ms: 0 };

  constructor({ silenceMs = defaultSilenceMs, isWaiting, ...config }: ConnectionConfig = {}) {
    super({
      ...config,
      connectionString: checked(config.connectionString),
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveDelayMs,
    });
    this.#isWaiting = isWaiting;
    // What is under way fails too, and says more; unheard, this event would end the process.
    this.on('error', () => {});
    const { stream } = this.connection;
    this.once('connect', () => {
      // By then there may be encryption around it, with a timer of its own.
      if (stream instanceof Socket) stream.setTimeout(0);
      allowSilence(this, silenceMs);
    });
    // Not overrides: the forms that they have need not be told apart here.
    Object.defineProperty(this, 'connect', {
      value: (...parameters: unknown[]) => {
        // Not before: nobody would hear of the silence of one that is not used.
        allowSilence(this, silenceMs);
        return Reflect.apply(super.connect, this, parameters);
      },
    });
    // A method of the driver's that its types do not have.
    const startup: unknown = Reflect.get(this, 'getStartupConf');
    if (typeof startup === 'function') {
      Object.defineProperty(this, 'getStartupConf', {
        value: () => ({ ...Reflect.apply(startup, this, []), ...readableDates }),
      });
    }
    Object.defineProperty(this, 'query', {
      value: (statement: unknown, ...rest: unknown[]) =>
        traceStatement([readOffsets(statement), ...rest], (parameters) =>
          Reflect.apply(super.query, this, parameters),
        ),
    });
  }

  /** Whether it is to be waited for, after another `ms` without a word. */
  async isWaiting(ms: number): Promise<boolean> {
    const { stream } = this.connection;
    const received = stream instanceof Socket ? stream.bytesRead : 0;
    const before = received === this.#silence.received ? this.#silence.ms : 0;
    this.#silence = { received, ms: before + ms };
    // Told by the server as the session begins; pg has no type for it.
    const processId: unknown = Reflect.get(this, 'processID');
    if (!this.#isWaiting || typeof processId !== 'number') return false;
    return this.#isWaiting({ processId, silentMs: this.#silence.ms });
  }
}

/**
 * The address with `verify-full` in place of what the driver takes for the same, with a warning at each
 * start that a coming version will check less.
 */
function checked(address: string | undefined): string | undefined {
  if (!address || /[?&]uselibpqcompat=true/.test(address)) return address;
  return address.replace(/([?&]sslmode=)(?:require|prefer|verify-ca)(?=[&#]|$)/g, '$1verify-full');
}

/** Beside the silence: the system finds out about peers that are gone, some 15 s after the last byte. */
const keepAliveDelayMs = 5_000;

/** How long this connection's server may say nothing from now on. */
export function allowSilence(client: Connection, ms: number): void {
  const { stream } = client.connection;
  if (!(stream instanceof Socket)) return;
  if (stream.listenerCount('timeout') === 0)
    stream.on('timeout', () => endIfSilent(client, stream));
  stream.setTimeout(ms);
}

/**
 * The same for a statement that the server itself ends after `ms`: given up before, it would go on there
 * for nobody.
 */
export function allowStatementTime(client: Connection, ms: number): void {
  const { stream } = client.connection;
  const silenceMs = stream instanceof Socket ? (stream.timeout ?? 0) : 0;
  if (ms >= silenceMs) allowSilence(client, silenceMs + ms);
}

/** What came while this process was busy waits to be read, and one round of the event loop reads it. */
function endIfSilent(client: Connection, socket: Socket): void {
  const received = socket.bytesRead;
  const awaitedMs = socket.timeout ?? 0;
  const isStill = () => socket.bytesRead === received && socket.timeout === awaitedMs;
  setImmediate(async () => {
    if (!isStill()) return;
    const isWaiting = await client.isWaiting(awaitedMs);
    if (!isStill() || socket.destroyed) return;
    if (isWaiting) return void socket.setTimeout(awaitedMs);
    const silence = new Error(`The database said nothing for ${awaitedMs} ms`);
    socket.destroy(Object.assign(silence, { code: 'ETIMEDOUT' }));
  });
}

const lostCodes = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT']);
/** What Prisma's adapter makes of such codes. */
const lostKinds = new Set(['ConnectionClosed', 'SocketTimeout']);
const lostMessages = /^Connection terminated|connection error and is not queryable$/;

/**
 * Whether a statement failed because its connection was cut, by the server, by a pooler, or on the
 * way. Whether the server has run it is then unknown.
 */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (lostMessages.test(error.message)) return true;
  // The driver's own error, or Prisma's around it.
  return [error, error.cause].some((failure) => {
    if (typeof failure !== 'object' || failure === null) return false;
    const code = codeOf(failure) ?? '';
    const kind = 'kind' in failure && typeof failure.kind === 'string' ? failure.kind : '';
    // Class 08: connection exceptions; 57P: the server stops, crashed, or has ended this session.
    return lostCodes.has(code) || /^(08|57P)/.test(code) || lostKinds.has(kind);
  });
}
