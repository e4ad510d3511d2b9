import { createHash, randomUUID } from 'node:crypto';
import type { PoolClient } from 'pg';
import { pool } from '../database/client';
import { requireSmall } from '../database/connections/large-reads';
import type { KeyDigests } from './key';
import { openBody, sealBody } from './sealed-body';

/** A piece of an answer. */
export type Slice = Uint8Array<ArrayBuffer>;

/** What is kept under a key whose answer is large: where its slices are, in rows of their own. */
type Parts = { id: string; count: number; bytes: number };

/** No JSON begins so. */
const pattern = /^parts:(?<id>[\da-f-]{36}):(?<count>\d+):(?<bytes>\d+)$/;

type KeptRow = {
  accountId: string;
  digests: KeyDigests;
  status: number;
  isSecret: boolean;
};

/**
 * Keeps an answer slice by slice in the transaction of the connection, so that it is never in one
 * piece, and returns what is to be kept under the key itself. Each slice is a kept answer like others:
 * it counts in the quota, expires and goes with its account.
 */
export async function keepParts(
  client: PoolClient,
  { accountId, digests, status, isSecret }: KeptRow,
  slices: Slice[],
): Promise<string> {
  // New each time, since the slices of an answer that has expired may still be there.
  const id = randomUUID();
  let bytes = 0;
  for (const [at, slice] of slices.entries()) {
    bytes += slice.byteLength;
    const text = Buffer.from(slice.buffer, slice.byteOffset, slice.byteLength).toString();
    const body = isSecret ? sealBody(text, digests.key) : text;
    await client.query(
      `INSERT INTO idempotency_keys (user_id, key_digest, request_digest, status, body)
       VALUES ($1, $2, $3, $4, $5)`,
      [accountId, partDigest(id, at), digests.request, status, body],
    );
  }
  return `parts:${id}:${slices.length}:${bytes}`;
}

/** Where the slices are that a kept body speaks of; undefined where it is the answer itself. */
export function partsOf(body: string): Parts | undefined {
  const { id, count, bytes } = pattern.exec(body)?.groups ?? {};
  return id === undefined ? undefined : { id, count: Number(count), bytes: Number(bytes) };
}

/**
 * The slices of a kept answer, read one by one; undefined where its time is over meanwhile.
 * @throws LargeReadError where they need room that was not made
 */
export async function readParts(
  accountId: string,
  key: Buffer,
  { id, count, bytes }: Parts,
): Promise<Slice[] | undefined> {
  requireSmall(bytes);
  const slices: Slice[] = [];
  for (let at = 0; at < count; at++) {
    const { rows } = await pool().query<{ body: string }>(
      'SELECT body FROM idempotency_keys WHERE user_id = $1 AND key_digest = $2',
      [accountId, partDigest(id, at)],
    );
    const [row] = rows;
    if (!row) return undefined;
    slices.push(new TextEncoder().encode(openBody(row.body, key)));
  }
  return slices;
}

function partDigest(id: string, at: number): Buffer {
  return createHash('sha256').update(`${id}\n${at}`).digest();
}
