import { env } from '../../env';
import { tellOnceAMinute } from '../../logging/lasting-failure';
import { log } from '../../logging/log';
import { meter } from '../../metrics/meter';
import { OutboundError } from '../../outbound/errors';
import { type OutboundAnswer, sendOutbound } from '../../outbound/send';
import { serverFacts } from '../../tracing/server-facts';
import { tracer } from '../../tracing/tracer';
import type { ErrorClass, HeaderLine } from '../delivery-schema';
import { webhookLimits } from '../limits';
import { payload, type StoredEvent } from '../payload';
import { openSecret } from '../secret';
import { requestHeaders } from '../signature';

/** What one attempt needs to know. */
export type Sendable = {
  endpointId: string;
  url: string;
  /** By the database's clock, as is everything that is signed and stored. */
  startedAt: Date;
  /** As stored; the newest first. */
  encryptedSecrets: Uint8Array[];
  event: StoredEvent;
};

/** What became of one attempt. */
export type AttemptResult = {
  durationMs: number;
  /** Null where no answer came. */
  status: number | null;
  /** Null where it succeeded. */
  errorClass: ErrorClass | null;
  /** Of the answer, as many as are kept; null where none came. */
  responseHeaders: HeaderLine[] | null;
  /** The start of the answer's body; null where no answer came. */
  responseBody: string | null;
  retryAfter: string | undefined;
  /** When the answer was given, by the clock by which a date in Retry-After is to be read. */
  answeredAt: Date;
};

/** `attemptUntraced` as a span, where anything is traced; of the address it tells host and port alone. */
export function attempt(
  sendable: Sendable,
  signal?: AbortSignal,
): Promise<AttemptResult | undefined> {
  const tracing = tracer();
  if (!tracing) return attemptUntraced(sendable, signal);
  const facts = {
    'http.request.method': 'POST',
    ...serverFacts(sendable.url),
    'testimonials.event_type': sendable.event.type,
  };
  return tracing.send('webhook delivery', facts, async (span) => {
    const result = await attemptUntraced(sendable, signal);
    if (result?.status) span.set({ 'http.response.status_code': result.status });
    if (result?.errorClass) {
      span.set({ 'error.type': result.errorClass });
      span.fail();
    }
    return result;
  });
}

/**
 * Sends an event to an endpoint once. Whatever goes wrong is a result; undefined where `signal`
 * ended the attempt before it had one.
 */
async function attemptUntraced(
  sendable: Sendable,
  signal?: AbortSignal,
): Promise<AttemptResult | undefined> {
  const { startedAt } = sendable;
  const begun = performance.now();
  const result = (
    outcome: Omit<AttemptResult, 'durationMs' | 'answeredAt'>,
    dateHeader?: string,
  ): AttemptResult => {
    const durationMs = Math.round(performance.now() - begun);
    const answeredAt = readDate(dateHeader) ?? new Date(startedAt.getTime() + durationMs);
    meter()?.attempt(outcome.errorClass ?? 'succeeded', durationMs / 1000);
    return { durationMs, answeredAt, ...outcome };
  };
  const noAnswer = (errorClass: ErrorClass) =>
    result({
      status: null,
      errorClass,
      responseHeaders: null,
      responseBody: null,
      retryAfter: undefined,
    });

  const secrets = readSecrets(sendable);
  if (secrets.length === 0) return noAnswer('signing_secret');
  const body = payload(sendable.event);
  try {
    const answer = await sendOutbound({
      url: sendable.url,
      headers: requestHeaders({ id: sendable.event.id, body, sentAt: startedAt }, secrets),
      body,
      timeoutMs: webhookLimits.attemptTimeoutMs,
      keepBytes: webhookLimits.answerBytes,
      allowPrivate: env().ALLOW_PRIVATE_NETWORK,
      signal,
    });
    const outcome = {
      status: answer.status,
      errorClass: classOf(answer.status),
      responseHeaders: headersToKeep(answer.headers),
      responseBody: storableText(answer.body.toString('utf8')),
      retryAfter: answer.headers['retry-after'],
    };
    return result(outcome, answer.headers.date);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return error.kind === 'aborted' ? undefined : noAnswer(error.kind);
  }
}

/** The receiver's clock, which nobody has set by ours. */
function readDate(header: string | undefined): Date | undefined {
  const at = Date.parse(header ?? '');
  return Number.isNaN(at) ? undefined : new Date(at);
}

/**
 * Those that open: a receiver needs one signature that it knows. Where the key was lost, that is every
 * delivery's matter, and told once a minute.
 */
function readSecrets({ encryptedSecrets, endpointId }: Sendable): Buffer[] {
  const secrets = encryptedSecrets.flatMap((stored) => openSecret(stored, endpointId) ?? []);
  if (secrets.length < encryptedSecrets.length) {
    const told = 'signing secret cannot be read: stored with another SECRET_KEY';
    tellOnceAMinute('lost secrets', (times) => log().warn({ endpointId, times }, told));
  }
  return secrets;
}

function classOf(status: OutboundAnswer['status']): ErrorClass | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? 'redirect' : 'status';
}

/**
 * Cookies too: they were given to a request that brought nothing but our signature, by a receiver
 * of the person who reads them, and its body is kept as well.
 */
function headersToKeep(headers: OutboundAnswer['headers']): HeaderLine[] {
  const kept: HeaderLine[] = [];
  let bytesLeft: number = webhookLimits.answerHeaderBytes;
  for (const [name, values] of Object.entries(headers)) {
    for (const value of [values ?? []].flat()) {
      const bytes = Buffer.byteLength(name) + Buffer.byteLength(value);
      if (kept.length === webhookLimits.answerHeaders || bytes > bytesLeft) continue;
      bytesLeft -= bytes;
      kept.push([name, value]);
    }
  }
  return kept;
}

/** Text that Postgres can store: it has no NUL. Nor has a header, or the answer is none. */
function storableText(text: string): string {
  return text.replaceAll('\0', '\uFFFD');
}
