import { isNativeError } from 'node:util/types';
import pino, { type DestinationStream, type Logger } from 'pino';
import { env } from './env';
import { singleton } from './singleton';

/**
 * The one logger: JSON lines on standard output. Never pass it a key, a secret, a body or a
 * submitter's e-mail address; log ids instead.
 */
export function log(): Logger {
  return singleton('log', () => createLog(env().LOG_LEVEL));
}

/** A logger of the service's form. Without a destination it writes to standard output. */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
  };
  return destination ? pino(options, destination) : pino(options);
}

/**
 * What the log keeps of an error. Not its other properties: of a refused row, the database's error
 * carries every value.
 */
function describeError(error: unknown): unknown {
  if (!isNativeError(error)) return String(error);
  const { name, message, stack, cause } = error;
  return {
    type: name,
    message,
    ...('code' in error && { code: error.code }),
    stack,
    ...(cause !== undefined && { cause: describeError(cause) }),
  };
}
