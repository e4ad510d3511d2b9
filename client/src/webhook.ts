import { type WebhookErrorCode, WebhookVerificationError } from './errors.ts';
import type { WebhookEvent } from './schema.ts';

/** As `fetch` has them, or Node. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | { [name: string]: string | string[] | undefined };

export type VerifyOptions = {
  /** How far the time that was signed may be from ours, in both directions. By default 5 minutes. */
  toleranceSeconds?: number;
  /** Unix time in milliseconds. */
  now?: () => number;
};

/** More signatures than secrets can ever be in use; none beyond is looked at. */
const mostSignatures = 10;

const utf8 = new TextEncoder();

/**
 * The event of a delivery, once it is certain that the service has sent these very bytes, and
 * lately. Standard Webhooks, `v1`. It says nothing about whether the event came before.
 * @param payload the body as it came: parsed and written anew it no longer fits the signature
 * @param secrets the endpoint's, `whsec_…`; while they are rotated, both
 * @throws WebhookVerificationError
 */
export async function verifyWebhook(
  payload: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { toleranceSeconds = 300, now = Date.now }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const [id, timestamp, signature] = ['id', 'timestamp', 'signature'].map((name) =>
    readHeader(headers, `webhook-${name}`),
  );
  if (!id || !signature || !timestamp || !/^\d{1,12}$/.test(timestamp)) {
    throw refused('HEADERS_INVALID', 'A header of the signature is missing or malformed.');
  }
  // Compared so that a tolerance or a clock that is no number refuses.
  if (!(Math.abs(now() / 1000 - Number(timestamp)) <= toleranceSeconds)) {
    throw refused('TIMESTAMP_OUT_OF_TOLERANCE', 'It was signed too long ago, or in the future.');
  }
  const body = typeof payload === 'string' ? utf8.encode(payload) : payload;
  // Some frameworks have parsed it, or have an empty object where no body came.
  if (!ArrayBuffer.isView(body)) {
    throw refused(
      'PAYLOAD_INVALID',
      'The payload is neither text nor bytes: give the body as it came.',
    );
  }
  const signed = joined(utf8.encode(`${id}.${timestamp}.`), body);
  if (!(await isSigned(signed, signature, [secrets].flat()))) {
    throw refused('SIGNATURE_INVALID', 'No signature is one of the secrets’.');
  }
  return eventOf(body);
}

/** Web Crypto compares in constant time. */
async function isSigned(
  signed: Uint8Array<ArrayBuffer>,
  header: string,
  secrets: string[],
): Promise<boolean> {
  const signatures = header
    .split(' ', mostSignatures)
    .filter((entry) => entry.startsWith('v1,'))
    .map((entry) => decoded(entry.slice('v1,'.length)));
  for (const secret of secrets) {
    const key = await importKey(secret);
    for (const signature of signatures) {
      if (signature && (await crypto.subtle.verify('HMAC', key, signature, signed))) return true;
    }
  }
  return false;
}

function importKey(secret: string): Promise<CryptoKey> {
  // JavaScript hands over a variable of the environment that is not set.
  const bytes =
    typeof secret === 'string' ? decoded(secret.trim().replace(/^whsec_/, '')) : undefined;
  if (!bytes?.length) throw refused('SECRET_INVALID', 'A secret is none: it begins with whsec_.');
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  return crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify']);
}

function eventOf(body: Uint8Array): WebhookEvent {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (cause) {
    throw refused('PAYLOAD_INVALID', 'What was signed is not JSON.', cause);
  }
}

function readHeader(headers: WebhookHeaders, name: string): string | undefined {
  if (typeof headers.get === 'function') return headers.get(name) ?? undefined;
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? [];
  return typeof value === 'string' ? value : undefined;
}

/** The bytes of a text in base64; undefined for one that is not. */
function decoded(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function joined(head: Uint8Array, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(head.length + body.length);
  bytes.set(head);
  bytes.set(body, head.length);
  return bytes;
}

type Reason<Code> = Code extends `WEBHOOK_${infer Rest}` ? Rest : never;

function refused(
  reason: Reason<WebhookErrorCode>,
  message: string,
  cause?: unknown,
): WebhookVerificationError {
  return new WebhookVerificationError(`WEBHOOK_${reason}`, message, { cause });
}
