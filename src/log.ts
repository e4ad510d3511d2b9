import pino, { type Logger } from 'pino';
import { env } from './env';
import { singleton } from './singleton';

/**
 * The one logger: JSON lines on standard output. Never pass it a key, a secret, a body or a
 * submitter's e-mail address; log ids instead.
 */
export function log(): Logger {
  return singleton('log', () =>
    pino({ level: env().LOG_LEVEL, base: undefined, timestamp: pino.stdTimeFunctions.isoTime }),
  );
}
