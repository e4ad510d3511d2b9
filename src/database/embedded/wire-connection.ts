import type { Socket } from 'node:net';
import { isSameSecret } from '../../secrets/same-secret';
import type { ServedBackend } from './served-backend';
import { applicationName, type Settings, SettingsError } from './session';
import type { Turns } from './turns';
import { createCopyIn } from './wire-copy-in';
import {
  authenticationCleartextPassword,
  authenticationOk,
  backendKeyData,
  copyFail,
  copyInResponse,
  createFrontendReader,
  encryptionRefused,
  type FrontendMessage,
  fatalError,
  isIdle,
  parameterStatus,
  readPassword,
  readyForQueryIdle,
  simpleQuery,
  sync,
  WireProtocolError,
  withoutFirst,
} from './wire-protocol';
import { createUnnamedStatement, type Remake } from './wire-unnamed';

const authenticationTimeoutMs = 10_000;
const maxUnauthenticatedBytes = 10_000;
/** One of each kind. Without a bound, the answers to one that takes none would gather here. */
const maxEncryptionRequests = 2;

/** Messages that wait for those which a backend answers at once: Parse, Bind, and so on. */
const extendedQuery = new Set(['P', 'B', 'D', 'E', 'C']);
const syncOrFlush = new Set(['S', 'H']);
const copyRows = new Set(['d', 'c', 'f']);

/** What brings so much is long work: texts of imports, or of large creates. No read asks for so much. */
const longBytes = 16 * 1024;

export type WireConnection = {
  /** Resolves once the connection is gone and holds nothing any more. */
  left: Promise<void>;
  close(): Promise<void>;
};

/** Speaks with one client from its first packet on; the backend is its own from turn to turn. */
export function serveConnection(
  socket: Socket,
  { processId, turns, backend }: { processId: number; turns: Turns; backend: ServedBackend },
): WireConnection {
  const reader = createFrontendReader();
  /** Who takes turns. */
  const self = {};
  let phase: 'startup' | 'password' | 'established' | 'closed' = 'startup';
  let batch: Buffer[] = [];
  const copyIn = createCopyIn();
  const unnamed = createUnnamedStatement();
  let encryptionRequests = 0;
  let work: Promise<void> = Promise.resolve();
  let isOwn = false;
  let hasSpoken = false;
  /** What this client has set, while it is not its turn. */
  let settings: Settings = [];

  const authenticationTimer = setTimeout(() => socket.destroy(), authenticationTimeoutMs);
  socket.setNoDelay(true);
  socket.on('data', receive);
  // 'close' follows and does the work; without a listener an error would end the process.
  socket.on('error', () => undefined);
  socket.on('timeout', endIdle);
  const left = new Promise<void>((resolve) => {
    socket.on('close', () => {
      clearTimeout(authenticationTimer);
      phase = 'closed';
      turns.giveUpWaiting(self);
      enqueue(leaveBackend);
      void work.then(resolve);
    });
  });

  function receive(chunk: Buffer): void {
    reader.push(chunk);
    try {
      while (readNext()) {}
    } catch (error) {
      const reason = error instanceof WireProtocolError ? error.message : 'internal error';
      refuse('08P01', reason);
    }
  }

  /** Handles one packet; false when none is complete or the connection has ended. */
  function readNext(): boolean {
    switch (phase) {
      case 'startup':
        return readStartup();
      case 'password':
        return authenticate();
      case 'established':
        return readMessage();
      case 'closed':
        return false;
    }
  }

  function readStartup(): boolean {
    const packet = reader.readStartup();
    if (!packet) return false;
    if (packet.kind === 'encryption-request') {
      if (++encryptionRequests > maxEncryptionRequests) {
        throw new WireProtocolError('encryption is not spoken here');
      }
      socket.write(encryptionRefused);
      return true;
    }
    if (packet.kind === 'cancel-request') {
      // The backend runs one statement to its end; there is nothing to interrupt it with.
      end();
      return false;
    }
    const user = packet.parameters.get('user') ?? '';
    const database = packet.parameters.get('database') ?? user;
    if (user !== backend.user) {
      refuse('28000', `role "${user}" does not exist`);
      return false;
    }
    if (database !== backend.database) {
      refuse('3D000', `database "${database}" does not exist`);
      return false;
    }
    isOwn = packet.parameters.get('application_name') === applicationName;
    phase = 'password';
    socket.write(authenticationCleartextPassword);
    return true;
  }

  function authenticate(): boolean {
    const message = reader.readMessage(maxUnauthenticatedBytes);
    if (!message) return false;
    if (message.type !== 'p' || !isSameSecret(readPassword(message), backend.password)) {
      refuse('28P01', `password authentication failed for user "${backend.user}"`);
      return false;
    }
    clearTimeout(authenticationTimer);
    phase = 'established';
    const parameters = Object.entries(backend.parameters);
    socket.write(
      Buffer.concat([
        authenticationOk,
        ...parameters.map(([name, value]) => parameterStatus(name, value)),
        backendKeyData(processId),
        readyForQueryIdle,
      ]),
    );
    return true;
  }

  function readMessage(): boolean {
    const message = reader.readMessage();
    if (!message) return false;
    if (message.type === 'X') {
      enqueue(async () => end());
      return false;
    }
    gather(message);
    return true;
  }

  /**
   * Collects messages until the backend has to answer. Every run of messages carries a CopyFail:
   * a COPY FROM STDIN without its rows would otherwise read to the end of its input, whereupon the
   * backend exits.
   */
  function gather(message: FrontendMessage): void {
    const { type, bytes } = message;
    unnamed.note(message);
    if (copyIn.isOpen()) {
      const statement = copyIn.add(message);
      if (!statement) return;
      // What asks for the rows, the client has had.
      send([...statement, copyFail], 'G');
    } else if (copyIn.begin(message)) {
      // The rows are awaited before it is this client's turn, which a slow one keeps nobody from.
      enqueue(async () => {
        if (phase !== 'closed') socket.write(copyInResponse);
      });
    } else if (type === 'Q' || type === 'F') {
      batch.push(bytes, copyFail);
      sendBatch();
    } else if (syncOrFlush.has(type)) {
      batch.push(copyFail, bytes);
      sendBatch();
    } else if (extendedQuery.has(type)) {
      batch.push(bytes);
    } else if (!copyRows.has(type)) {
      // The backend would exit.
      throw new WireProtocolError('invalid frontend message type');
    }
  }

  function sendBatch(): void {
    send(batch);
    batch = [];
  }

  /** `hidden` is the type of a message that the client is not to get, the first one of it. */
  function send(messages: Buffer[], hidden?: string): void {
    const bytes = Buffer.concat(messages);
    const remake = unnamed.takeRemake();
    enqueue(() => answer(bytes, { remake, hidden }));
  }

  async function answer(
    messages: Buffer,
    { remake, hidden }: { remake?: Remake; hidden?: string },
  ): Promise<void> {
    // While it is this client's turn, nobody else has been there.
    const first = turns.isHeldBy(self) ? undefined : remake;
    const isLong = messages.byteLength > longBytes;
    if (phase === 'closed' || !(await turns.take(self, { isLong }))) return;
    socket.setTimeout(0);
    hasSpoken = true;
    await backend.session.putSettings(settings);
    settings = [];
    const output = await backend.execute(
      first ? Buffer.concat([first.message, messages]) : messages,
    );
    const withheld = first?.answerType ?? hidden;
    socket.write(withheld === undefined ? output : withoutFirst(output, withheld));
    if (!isIdle(output)) {
      socket.setTimeout(backend.idleTransactionMs);
      return;
    }
    if (!isOwn) settings = await backend.session.takeSettings();
    turns.release(self);
  }

  /**
   * Of one that neither says a word nor takes what it is sent, piece by piece: Node's own timer knows how
   * much of a large answer is still to go, and its counts of bytes only when all of it has gone.
   */
  function endIdle(): void {
    socket.write(fatalError('25P03', 'terminating connection due to idle-in-transaction timeout'));
    // Not `destroySoon`, which would wait for a client that takes nothing.
    socket.destroy();
  }

  /**
   * Ends what the client left open, so that the next in line finds a backend like a new one. One that has
   * broken off in an answer, as in an encoding that it cannot make, answers no statement from then on.
   */
  async function leaveBackend(): Promise<void> {
    if (turns.isHeldBy(self)) {
      await backend.execute(sync);
      const output = await backend.execute(simpleQuery('ROLLBACK'));
      if (!isIdle(output)) throw new Error('The backend answers no more.');
    } else if (isOwn || !hasSpoken) {
      return;
    }
    await turns.take(self);
    await backend.session.discard();
    turns.release(self);
  }

  /** One thing after the other, in the order in which the client sent them. */
  function enqueue(step: () => Promise<void>): void {
    work = work.then(step).catch((error: unknown) => {
      // What is left of them, leaving clears: at once, since it is still this client's turn.
      if (error instanceof SettingsError) refuse('0A000', `settings: ${error.message}`);
      else backend.onBackendFailure(error);
      socket.destroy();
    });
  }

  function refuse(code: string, reason: string): void {
    socket.write(fatalError(code, reason));
    end();
  }

  function end(): void {
    phase = 'closed';
    // Not `end`: a client that never closes its own side would stay connected for ever.
    socket.destroySoon();
  }

  return {
    left,
    close: () => {
      socket.destroy();
      return left;
    },
  };
}
