/**
 * Framing of the Postgres wire protocol, version 3.0: bytes in, messages out, and the few backend
 * messages that a server in front of a backend has to say itself. No sockets, no state of a session.
 */

/** A message or packet that no Postgres client would send; the connection is of no further use. */
export class WireProtocolError extends Error {
  override name = 'WireProtocolError';
}

type StartupPacket =
  | { kind: 'encryption-request' }
  | { kind: 'cancel-request' }
  | { kind: 'startup'; parameters: Map<string, string> };

/** One message of an established connection; `bytes` is the whole of it, with type and length. */
export type FrontendMessage = { type: string; bytes: Buffer };

const protocolVersion = 196_608;
const cancelRequest = 80_877_102;
const sslRequest = 80_877_103;
const gssEncryptionRequest = 80_877_104;

const maxStartupBytes = 10_000;
const maxMessageBytes = 1024 ** 3;

/** Gathers what a client sends and hands it out in whole packets. */
export type FrontendReader = {
  push(chunk: Buffer): void;
  /** The next packet before authentication, or undefined until it is complete. */
  readStartup(): StartupPacket | undefined;
  /**
   * The next message, or undefined until it is complete.
   * @throws WireProtocolError where it is longer than `maxBytes`, or is none
   */
  readMessage(maxBytes?: number): FrontendMessage | undefined;
};

export function createFrontendReader(): FrontendReader {
  let chunks: Buffer[] = [];
  let bufferedBytes = 0;

  function peek(length: number): Buffer | undefined {
    if (bufferedBytes < length) return undefined;
    const [first] = chunks;
    if (first && first.length >= length) return first;
    const joined = Buffer.concat(chunks);
    chunks = [joined];
    return joined;
  }

  function take(length: number): Buffer | undefined {
    const joined = peek(length);
    if (!joined) return undefined;
    chunks[0] = joined.subarray(length);
    if (joined.length === length) chunks.shift();
    bufferedBytes -= length;
    return joined.subarray(0, length);
  }

  return {
    push: (chunk) => {
      chunks.push(chunk);
      bufferedBytes += chunk.length;
    },
    readStartup: () => {
      const header = peek(8);
      if (!header) return undefined;
      const length = header.readUInt32BE(0);
      if (length < 8 || length > maxStartupBytes) {
        throw new WireProtocolError('invalid length of startup packet');
      }
      const packet = take(length);
      return packet && parseStartup(packet);
    },
    readMessage: (maxBytes = maxMessageBytes) => {
      const header = peek(5);
      if (!header) return undefined;
      const length = header.readUInt32BE(1);
      if (length < 4 || length > maxBytes) throw new WireProtocolError('invalid message length');
      const type = header.toString('latin1', 0, 1);
      const bytes = take(length + 1);
      return bytes && { type, bytes };
    },
  };
}

function parseStartup(packet: Buffer): StartupPacket {
  const code = packet.readUInt32BE(4);
  if (code === sslRequest || code === gssEncryptionRequest) return { kind: 'encryption-request' };
  if (code === cancelRequest) return { kind: 'cancel-request' };
  if (code !== protocolVersion) {
    throw new WireProtocolError('unsupported frontend protocol, only 3.0 is spoken here');
  }
  return { kind: 'startup', parameters: readParameters(packet.subarray(8)) };
}

/** The password of a PasswordMessage ('p'). */
export function readPassword(message: FrontendMessage): string {
  return message.bytes.toString('utf8', 5, message.bytes.length - 1);
}

/** Whether the backend is ready for another statement and in no transaction, by the end of its output. */
export function isIdle(output: Buffer): boolean {
  return output.subarray(-6).equals(readyForQueryIdle);
}

/**
 * Why a backend gave up in the middle of a change, where its output says so: a server would end all of
 * its processes and recover.
 */
export function readPanic(output: Buffer): string | undefined {
  // What ends in ReadyForQuery has none, and may be long.
  if (output.subarray(-6, -1).equals(readyForQueryHead)) return undefined;
  for (const { type, at, end } of messagesOf(output)) {
    if (type !== 'E') continue;
    const fields = output.toString('utf8', at + 5, end).split('\0');
    if (fields.includes('VPANIC')) return fields.find((field) => field.startsWith('M'))?.slice(1);
  }
  return undefined;
}

/** A backend's output without the first message of that type, if it has one. */
export function withoutFirst(output: Buffer, type: string): Buffer {
  for (const { type: found, at, end } of messagesOf(output)) {
    if (found === type) return Buffer.concat([output.subarray(0, at), output.subarray(end)]);
  }
  return output;
}

/** Where the messages of a backend's output lie in it. */
function* messagesOf(output: Buffer): Generator<{ type: string; at: number; end: number }> {
  for (let at = 0; at + 5 <= output.length; ) {
    const end = at + 1 + output.readUInt32BE(at + 1);
    yield { type: output.toString('latin1', at, at + 1), at, end };
    at = end;
  }
}

export const encryptionRefused = Buffer.from('N');
export const authenticationCleartextPassword = message('R', int32(3));
export const authenticationOk = message('R', int32(0));
export const readyForQueryIdle = message('Z', Buffer.from('I'));
/** Without the letter for the transaction that it is in. */
const readyForQueryHead = readyForQueryIdle.subarray(0, -1);
export const sync = message('S');
export const closeUnnamedStatement = message('C', text('S'));

/** ParameterStatus: tells the client a setting of the session. */
export function parameterStatus(name: string, value: string): Buffer {
  return message('S', text(name), text(value));
}

/** BackendKeyData: what a client would name in a CancelRequest, which nobody looks at. */
export function backendKeyData(processId: number): Buffer {
  return message('K', int32(processId), int32(0));
}

/** ErrorResponse of severity FATAL, after which the server closes the connection. */
export function fatalError(code: string, reason: string): Buffer {
  const fields = [`SFATAL`, `VFATAL`, `C${code}`, `M${reason}`];
  return message('E', ...fields.map(text), Buffer.from([0]));
}

/** A frontend's CopyFail, which a backend ignores unless it waits for the rows of a COPY. */
export const copyFail = message('f', text('rows of COPY FROM STDIN are not taken here'));

/** CopyInResponse: asks the client for the rows of a COPY FROM STDIN, as text. */
export const copyInResponse = message('G', Buffer.from([0, 0, 0]));

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
