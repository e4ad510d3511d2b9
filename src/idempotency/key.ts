import { createHash } from 'node:crypto';
import { ApiError } from '../api/errors';

/** A string of RFC 8941, section 3.3.3, without parameters. */
const quoted = /^"((?:[ !#-[\]-~]|\\["\\])*)"$/;
const printable = /^[ -~]{1,255}$/;

/**
 * Of the headers that carry a key, for the published document. The white space around a header is no
 * part of it (RFC 9110, section 5.5). What other languages want escaped is escaped.
 */
export const idempotencyKeyPattern = String.raw`^(?:[!#-~](?:[ -~]{0,253}[!-~])?|"(?:[ !#-\[\]-~]|\\["\\]){1,255}")$`;

/**
 * The key that an `Idempotency-Key` header carries, undefined where there is none. A quoted string, as
 * draft-ietf-httpapi-idempotency-key-header has it, and its content alone are the same key.
 * @throws ApiError VALIDATION_ERROR unless it is 1 to 255 printable ASCII characters
 */
export function readIdempotencyKey(header: string | null | undefined): string | undefined {
  if (header === null || header === undefined) return undefined;
  const key = header.startsWith('"') ? quoted.exec(header)?.[1]?.replace(/\\(.)/g, '$1') : header;
  if (key !== undefined && printable.test(key)) return key;
  throw new ApiError('VALIDATION_ERROR', { cause: 'the Idempotency-Key is not one' });
}

/** What a key stands for: the same text for the same request, however its JSON is written. */
export type RequestFacts = { method: string; path: string; body: unknown };

/** What stands for a key of an account, and for the request that carries it. */
export type KeyDigests = { key: Buffer; request: Buffer };

/** SHA-256 of a request. A slash at the end of the path is of no account, nor is the order of fields. */
export function requestDigest({ method, path, body }: RequestFacts): Buffer {
  return sha256(`${method} ${path.replace(/(.)\/$/, '$1')}\n${canonicalJson(body)}`);
}

/** SHA-256 of a key of an account: no two accounts have one in common. */
export function keyDigest(accountId: string, key: string): Buffer {
  return sha256(`${accountId}\n${key}`);
}

/**
 * What was parsed of JSON, as `JSON.stringify` writes it, with the fields of each object in order.
 * Without a call for each level, since a body may nest deeper than calls can.
 */
function canonicalJson(body: unknown): string {
  const written: string[] = [];
  /** What is still to be written, what comes first last. */
  const left: Part[] = [{ value: body }];
  for (let next = left.pop(); next; next = left.pop()) {
    if ('text' in next) {
      written.push(next.text);
      continue;
    }
    const { value } = next;
    if (typeof value !== 'object' || value === null) {
      written.push(`${JSON.stringify(value)}`);
      continue;
    }
    for (const part of jsonParts(value).reverse()) left.push(part);
  }
  return written.join('');
}

/** A value that is to be written, or text that is written as it is. */
type Part = { value: unknown } | { text: string };

/** A list or an object as it is written: its members in order, and what stands around them. */
function jsonParts(value: object): Part[] {
  const isList = Array.isArray(value);
  const members = isList ? [...value.entries()] : Object.entries(value).sort(byName);
  const parts: Part[] = [{ text: isList ? '[' : '{' }];
  for (const [at, [name, member]] of members.entries()) {
    const comma = at > 0 ? ',' : '';
    parts.push({ text: isList ? comma : `${comma}${JSON.stringify(name)}:` }, { value: member });
  }
  parts.push({ text: isList ? ']' : '}' });
  return parts;
}

function byName([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1;
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
