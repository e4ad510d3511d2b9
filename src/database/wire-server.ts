import { createServer, type Server, type Socket } from 'node:net';
import { isSameSecret } from '../secrets/same-secret';
import { Turns } from './turns';
import {
  AUTHENTICATION_CLEARTEXT_PASSWORD,
  AUTHENTICATION_OK,
  backendKeyData,
  COPY_FAIL,
  ENCRYPTION_REFUSED,
  type FrontendMessage,
  FrontendReader,
  fatalError,
  parameterStatus,
  READY_FOR_QUERY_IDLE,
  readPassword,
  readTransactionStatus,
  SYNC,
  simpleQuery,
  WireProtocolError,
} from './wire';

const AUTHENTICATION_TIMEOUT_MS = 10_000;
const MAX_UNAUTHENTICATED_BYTES = 10_000;

/** Messages that wait for those which a backend answers at once: Parse, Bind, and so on. */
const EXTENDED_QUERY = new Set(['P', 'B', 'D', 'E', 'C']);
const SYNC_OR_FLUSH = new Set(['S', 'H']);
const COPY_ROWS = new Set(['d', 'c', 'f']);

export type WireServerOptions = {
  /** Hands messages to the one backend and resolves to all that it answers. */
  execute: (messages: Buffer) => Promise<Buffer>;
  user: string;
  database: string;
  password: string;
  /** Settings that clients are told when they connect. */
  parameters: Record<string, string>;
  /** Called when the backend itself fails, after which no answer of it can be trusted. */
  onBackendFailure: (error: unknown) => void;
};

/**
 * Serves one backend to many connections. The backend is held for a connection until its
 * transaction ends, the others wait in line. They share the session: no connection may rely on SET,
 * temporary tables, named statements, LISTEN or session advisory locks.
 */
export class WireServer {
  readonly #options: WireServerOptions;
  readonly #turns = new Turns();
  readonly #connections = new Set<Connection>();
  readonly #server: Server;
  #nextProcessId = 1;

  constructor(options: WireServerOptions) {
    this.#options = options;
    this.#server = createServer((socket) => this.#accept(socket));
  }

  /** Listens on a free port of the loopback interface and resolves to it. */
  listen(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(0, '127.0.0.1', () => {
        const address = this.#server.address();
        if (address === null || typeof address === 'string') {
          reject(new Error('the wire server got no port'));
          return;
        }
        resolve(address.port);
      });
    });
  }

  /** Runs `work` while no connection has a statement or a transaction open. */
  async runAlone<T>(work: () => Promise<T>): Promise<T> {
    const holder = {};
    await this.#turns.take(holder);
    try {
      return await work();
    } finally {
      this.#turns.release(holder);
    }
  }

  /** Disconnects everyone, rolling back what is open; resolves when the backend is idle. */
  async close(): Promise<void> {
    this.#server.close();
    await Promise.all([...this.#connections].map((connection) => connection.close()));
  }

  #accept(socket: Socket): void {
    const processId = this.#nextProcessId++;
    const connection = new Connection(socket, processId, this.#turns, this.#options);
    this.#connections.add(connection);
    void connection.left.then(() => this.#connections.delete(connection));
  }
}

class Connection {
  /** Resolves once the connection is gone and holds nothing any more. */
  readonly left: Promise<void>;

  readonly #socket: Socket;
  readonly #processId: number;
  readonly #turns: Turns;
  readonly #options: WireServerOptions;
  readonly #reader = new FrontendReader();
  readonly #authenticationTimer: NodeJS.Timeout;
  #phase: 'startup' | 'password' | 'established' | 'closed' = 'startup';
  #batch: Buffer[] = [];
  #work: Promise<void> = Promise.resolve();

  constructor(socket: Socket, processId: number, turns: Turns, options: WireServerOptions) {
    this.#socket = socket;
    this.#processId = processId;
    this.#turns = turns;
    this.#options = options;
    this.#authenticationTimer = setTimeout(() => socket.destroy(), AUTHENTICATION_TIMEOUT_MS);
    socket.setNoDelay(true);
    socket.on('data', (chunk) => this.#receive(chunk));
    // 'close' follows and does the work; without a listener an error would end the process.
    socket.on('error', () => undefined);
    this.left = new Promise((resolve) => {
      socket.on('close', () => {
        clearTimeout(this.#authenticationTimer);
        this.#phase = 'closed';
        this.#turns.giveUpWaiting(this);
        this.#enqueue(() => this.#leaveBackend());
        void this.#work.then(resolve);
      });
    });
  }

  close(): Promise<void> {
    this.#socket.destroy();
    return this.left;
  }

  #receive(chunk: Buffer): void {
    this.#reader.push(chunk);
    try {
      while (this.#readNext()) {}
    } catch (error) {
      const reason = error instanceof WireProtocolError ? error.message : 'internal error';
      this.#refuse('08P01', reason);
    }
  }

  /** Handles one packet; false when none is complete or the connection has ended. */
  #readNext(): boolean {
    switch (this.#phase) {
      case 'startup':
        return this.#readStartup();
      case 'password':
        return this.#readPassword();
      case 'established':
        return this.#readMessage();
      case 'closed':
        return false;
    }
  }

  #readStartup(): boolean {
    const packet = this.#reader.readStartup();
    if (!packet) {
      return false;
    }
    if (packet.kind === 'encryption-request') {
      this.#socket.write(ENCRYPTION_REFUSED);
      return true;
    }
    if (packet.kind === 'cancel-request') {
      // The backend runs one statement to its end; there is nothing to interrupt it with.
      this.#end();
      return false;
    }
    const user = packet.parameters.get('user') ?? '';
    const database = packet.parameters.get('database') ?? user;
    if (user !== this.#options.user) {
      this.#refuse('28000', `role "${user}" does not exist`);
      return false;
    }
    if (database !== this.#options.database) {
      this.#refuse('3D000', `database "${database}" does not exist`);
      return false;
    }
    this.#phase = 'password';
    this.#socket.write(AUTHENTICATION_CLEARTEXT_PASSWORD);
    return true;
  }

  #readPassword(): boolean {
    const message = this.#reader.readMessage(MAX_UNAUTHENTICATED_BYTES);
    if (!message) {
      return false;
    }
    if (message.type !== 'p' || !isSameSecret(readPassword(message), this.#options.password)) {
      this.#refuse('28P01', `password authentication failed for user "${this.#options.user}"`);
      return false;
    }
    clearTimeout(this.#authenticationTimer);
    this.#phase = 'established';
    const parameters = Object.entries(this.#options.parameters);
    this.#socket.write(
      Buffer.concat([
        AUTHENTICATION_OK,
        ...parameters.map(([name, value]) => parameterStatus(name, value)),
        backendKeyData(this.#processId, 0),
        READY_FOR_QUERY_IDLE,
      ]),
    );
    return true;
  }

  #readMessage(): boolean {
    const message = this.#reader.readMessage();
    if (!message) {
      return false;
    }
    if (message.type === 'X') {
      this.#enqueue(async () => this.#end());
      return false;
    }
    this.#gather(message);
    return true;
  }

  /**
   * Collects messages until the backend has to answer. Every run of messages carries a CopyFail:
   * a COPY FROM STDIN would otherwise read to the end of its input, whereupon the backend exits.
   */
  #gather({ type, bytes }: FrontendMessage): void {
    if (type === 'Q' || type === 'F') {
      this.#batch.push(bytes, COPY_FAIL);
      this.#sendBatch();
    } else if (SYNC_OR_FLUSH.has(type)) {
      this.#batch.push(COPY_FAIL, bytes);
      this.#sendBatch();
    } else if (EXTENDED_QUERY.has(type)) {
      this.#batch.push(bytes);
    } else if (!COPY_ROWS.has(type)) {
      // The backend would exit.
      throw new WireProtocolError('invalid frontend message type');
    }
  }

  #sendBatch(): void {
    const messages = Buffer.concat(this.#batch);
    this.#batch = [];
    this.#enqueue(() => this.#answer(messages));
  }

  async #answer(messages: Buffer): Promise<void> {
    if (this.#phase === 'closed' || !(await this.#turns.take(this))) {
      return;
    }
    const output = await this.#options.execute(messages);
    this.#socket.write(output);
    if (readTransactionStatus(output) === 'idle') {
      this.#turns.release(this);
    }
  }

  /** Ends what the client left open, so that the next in line finds an idle backend. */
  async #leaveBackend(): Promise<void> {
    if (!this.#turns.isHeldBy(this)) {
      return;
    }
    const output = await this.#options.execute(SYNC);
    if (readTransactionStatus(output) !== 'idle') {
      await this.#options.execute(simpleQuery('ROLLBACK'));
    }
    this.#turns.release(this);
  }

  /** One thing after the other, in the order in which the client sent them. */
  #enqueue(work: () => Promise<void>): void {
    this.#work = this.#work.then(work).catch((error: unknown) => {
      this.#socket.destroy();
      this.#options.onBackendFailure(error);
    });
  }

  #refuse(code: string, reason: string): void {
    this.#socket.write(fatalError(code, reason));
    this.#end();
  }

  #end(): void {
    this.#phase = 'closed';
    // Not `end`: a client that never closes its own side would stay connected for ever.
    this.#socket.destroySoon();
  }
}
