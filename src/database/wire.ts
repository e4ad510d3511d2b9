/**
 * Framing of the Postgres wire protocol, version 3.0: bytes in, messages out, and the few backend
 * messages that a server in front of a backend has to say itself. No sockets, no state of a session.
 */

/** A message or packet that no Postgres client would send; the connection is of no further use. */
export class WireProtocolError extends Error {
  override name = 'WireProtocolError';
}

export type StartupPacket =
  | { kind: 'encryption-request' }
  | { kind: 'cancel-request' }
  | { kind: 'startup'; parameters: Map<string, string> };

/** One message of an established connection; `bytes` is the whole of it, with type and length. */
export type FrontendMessage = { type: string; bytes: Buffer };

export type TransactionStatus = 'idle' | 'in-transaction' | 'failed-transaction';

const PROTOCOL_VERSION = 196_608;
const CANCEL_REQUEST = 80_877_102;
const SSL_REQUEST = 80_877_103;
const GSS_ENCRYPTION_REQUEST = 80_877_104;

const MAX_STARTUP_BYTES = 10_000;
const MAX_MESSAGE_BYTES = 1024 ** 3;

/** Gathers what a client sends and hands it out in whole packets. */
export class FrontendReader {
  #chunks: Buffer[] = [];
  #length = 0;

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
  }

  /** The next packet before authentication, or undefined until it is complete. */
  readStartup(): StartupPacket | undefined {
    const header = this.#peek(8);
    if (!header) {
      return undefined;
    }
    const length = header.readUInt32BE(0);
    if (length < 8 || length > MAX_STARTUP_BYTES) {
      throw new WireProtocolError('invalid length of startup packet');
    }
    const packet = this.#take(length);
    if (!packet) {
      return undefined;
    }
    const code = packet.readUInt32BE(4);
    if (code === SSL_REQUEST || code === GSS_ENCRYPTION_REQUEST) {
      return { kind: 'encryption-request' };
    }
    if (code === CANCEL_REQUEST) {
      return { kind: 'cancel-request' };
    }
    if (code !== PROTOCOL_VERSION) {
      throw new WireProtocolError('unsupported frontend protocol, only 3.0 is spoken here');
    }
    return { kind: 'startup', parameters: readParameters(packet.subarray(8)) };
  }

  /**
   * The next message, or undefined until it is complete.
   * A message longer than `maxBytes` throws a WireProtocolError.
   */
  readMessage(maxBytes = MAX_MESSAGE_BYTES): FrontendMessage | undefined {
    const header = this.#peek(5);
    if (!header) {
      return undefined;
    }
    const length = header.readUInt32BE(1);
    if (length < 4 || length > maxBytes) {
      throw new WireProtocolError('invalid message length');
    }
    const type = header.toString('latin1', 0, 1);
    const bytes = this.#take(length + 1);
    return bytes && { type, bytes };
  }

  #peek(length: number): Buffer | undefined {
    if (this.#length < length) {
      return undefined;
    }
    const [first] = this.#chunks;
    if (first && first.length >= length) {
      return first;
    }
    const joined = Buffer.concat(this.#chunks);
    this.#chunks = [joined];
    return joined;
  }

  #take(length: number): Buffer | undefined {
    const joined = this.#peek(length);
    if (!joined) {
      return undefined;
    }
    this.#chunks[0] = joined.subarray(length);
    if (joined.length === length) {
      this.#chunks.shift();
    }
    this.#length -= length;
    return joined.subarray(0, length);
  }
}

/** The password of a PasswordMessage ('p'). */
export function readPassword(message: FrontendMessage): string {
  return message.bytes.toString('utf8', 5, message.bytes.length - 1);
}

/**
 * The transaction status after a backend's output, or undefined where the output does not end in
 * ReadyForQuery: the backend then waits for more of the same statement.
 */
export function readTransactionStatus(output: Buffer): TransactionStatus | undefined {
  const at = output.length - 6;
  if (at < 0 || output[at] !== 0x5a || output.readUInt32BE(at + 1) !== 5) {
    return undefined;
  }
  switch (output.toString('latin1', at + 5)) {
    case 'I':
      return 'idle';
    case 'T':
      return 'in-transaction';
    case 'E':
      return 'failed-transaction';
    default:
      return undefined;
  }
}

export const ENCRYPTION_REFUSED = Buffer.from('N');
export const AUTHENTICATION_CLEARTEXT_PASSWORD = message('R', int32(3));
export const AUTHENTICATION_OK = message('R', int32(0));
export const READY_FOR_QUERY_IDLE = message('Z', Buffer.from('I'));
export const SYNC = message('S');

/** ParameterStatus: tells the client a setting of the session. */
export function parameterStatus(name: string, value: string): Buffer {
  return message('S', text(name), text(value));
}

/** BackendKeyData: what a client would name in a CancelRequest. */
export function backendKeyData(processId: number, secret: number): Buffer {
  return message('K', int32(processId), int32(secret));
}

/** ErrorResponse of severity FATAL, after which the server closes the connection. */
export function fatalError(code: string, reason: string): Buffer {
  const fields = [`SFATAL`, `VFATAL`, `C${code}`, `M${reason}`];
  return message('E', ...fields.map(text), Buffer.from([0]));
}

/** A frontend's CopyFail, which a backend ignores unless it waits for the rows of a COPY. */
export const COPY_FAIL = message('f', text('COPY FROM STDIN is not served here'));

/** A frontend's simple query; `sql` may hold several statements. */
export function simpleQuery(sql: string): Buffer {
  return message('Q', text(sql));
}

function readParameters(body: Buffer): Map<string, string> {
  const words = body.toString('utf8').split('\0');
  const parameters = new Map<string, string>();
  for (let i = 0; i + 1 < words.length; i += 2) {
    const [name, value] = [words[i], words[i + 1]];
    if (name && value !== undefined) {
      parameters.set(name, value);
    }
  }
  return parameters;
}

function message(type: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(type, 'latin1'), int32(body.length + 4), body]);
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function text(value: string): Buffer {
  return Buffer.from(`${value}\0`, 'utf8');
}
