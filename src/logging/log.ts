import { isNativeError } from 'node:util/types';
import pino, { type DestinationStream, type Logger, type LoggerOptions } from 'pino';
import { env } from '../env';
import { messageOf } from '../error-parts';
import { singleton } from '../singleton';
import { poolerAdviceFor } from './pooler-advice';

/**
 * What one line may hold, whatever is passed: characters together and of one text, entries of one
 * list or object, and objects in objects, causes of errors among them.
 */
const maxCharacters = 8_000;
const maxTextLength = 3_000;
const maxEntries = 20;
const maxDepth = 5;

/** How much is kept of lines that cannot be written, as on a full disk; later ones are lost. */
const maxUnwrittenBytes = 1024 * 1024;

/**
 * The one logger: JSON lines on standard output. Never pass it a key, a secret, a body or a
 * submitter's e-mail address; log ids instead.
 */
export function log(): Logger {
  return singleton('log', () => {
    const { LOG_LEVEL, WORKER_NUMBER: worker } = env();
    const made = createLog(LOG_LEVEL);
    return worker === undefined ? made : made.child({ worker });
  });
}

/** A logger of the service's form. Without a destination it writes to standard output. */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const options: LoggerOptions = {
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    // What is passed comes here bounded, errors described.
    serializers: { err: (described: unknown) => described },
    hooks: {
      logMethod([first, ...rest], write) {
        const bounds = new Bounds();
        const object = isError(first) ? { err: first } : first;
        write.call(this, bounds.of(object), ...rest.map((value) => String(bounds.of(value))));
      },
    },
  };
  return pino(options, destination ?? standardOutput());
}

/** Without a word about lines that it does not take: there is nowhere else to say it. */
function standardOutput(): DestinationStream {
  const output = pino.destination({ dest: 1, sync: true, maxLength: maxUnwrittenBytes });
  return output.on('error', () => {});
}

/** Cuts the values of one line to what the line may hold. What was left out is marked by `…`. */
class Bounds {
  #left = maxCharacters;

  of(value: unknown, depth = 0): unknown {
    if (typeof value === 'string') return this.#cut(value);
    if (typeof value !== 'object' || value === null) {
      return typeof value === 'bigint' ? this.#cut(String(value)) : value;
    }
    if (value instanceof Date) return value.toJSON();
    if (depth >= maxDepth || this.#left === 0 || ArrayBuffer.isView(value)) return '…';
    if (isError(value)) return this.of(describeError(value), depth);
    if (Array.isArray(value)) {
      const kept = value.slice(0, maxEntries).map((item) => this.of(item, depth + 1));
      return value.length > maxEntries ? [...kept, `… ${value.length - maxEntries} more`] : kept;
    }
    const kept: Record<string, unknown> = {};
    let count = 0;
    for (const [key, item] of Object.entries(value)) {
      count += 1;
      if (count > maxEntries) return { ...kept, '…': '…' };
      kept[this.#cut(key)] = this.of(item, depth + 1);
    }
    return kept;
  }

  #cut(text: string): string {
    const length = Math.min(maxTextLength, this.#left);
    this.#left = Math.max(0, this.#left - text.length);
    return text.length <= length ? text : `${text.slice(0, length)}…`;
  }
}

/** What ends a wait that took too long is none that the engine knows. */
function isError(value: unknown): value is Error {
  return isNativeError(value) || value instanceof DOMException;
}

/**
 * What the log keeps of an error. Not its other properties: of a refused row, the database's error
 * carries every value.
 */
function describeError(error: Error): Record<string, unknown> {
  const { name, stack, cause } = error;
  const message = messageOf(error);
  const advice = poolerAdviceFor(error);
  return {
    type: name,
    message,
    ...('code' in error && { code: error.code }),
    ...(advice && { advice }),
    stack,
    ...(cause !== undefined && { cause: isError(cause) ? cause : String(cause) }),
  };
}
