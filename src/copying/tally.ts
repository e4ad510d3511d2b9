import { hash } from 'node:crypto';

/**
 * How many rows there are, and a checksum of them: the sum of their digests. The order in which they
 * come does not matter, so that databases with different collations, and parts of a table in any
 * order, can be compared.
 */
export type Tally = { rows: number; checksum: string };

export const noRows: Tally = { rows: 0, checksum: '0'.repeat(32) };

/** Of the checksum, sums modulo 2^32. */
const lanes = 4;

const endOfRow = 0x0a;

/** The tally of whole rows in the text format of COPY. */
export function tallyOf(rows: Buffer): Tally {
  const sums = new Uint32Array(lanes);
  let count = 0;
  for (let at = 0; at < rows.length; ) {
    const end = endOfRowAfter(rows, at);
    const digest = hash('sha256', rows.subarray(at, end), 'buffer');
    for (let lane = 0; lane < lanes; lane++) {
      sums[lane] = (sums[lane] ?? 0) + digest.readUInt32LE(4 * lane);
    }
    count++;
    at = end;
  }
  return { rows: count, checksum: toHex(sums) };
}

/** The tally of both together. */
export function sumOf(one: Tally, other: Tally): Tally {
  const sums = fromHex(one.checksum);
  fromHex(other.checksum).forEach((value, lane) => {
    sums[lane] = (sums[lane] ?? 0) + value;
  });
  return { rows: one.rows + other.rows, checksum: toHex(sums) };
}

/** How many rows there are, of all tables together, for people. */
export function describeRows(...tallies: Tally[]): string {
  const { rows } = tallies.reduce(sumOf, noRows);
  return `${rows.toLocaleString('en')} rows`;
}

export function isSameTally(one: Tally, other: Tally): boolean {
  return one.rows === other.rows && one.checksum === other.checksum;
}

/** The same rows in parts of about `bytes`, none of which ends within a row. */
export function* partsOf(rows: Buffer, bytes: number): Generator<Buffer> {
  for (let at = 0; at < rows.length; ) {
    const end = at + bytes >= rows.length ? rows.length : endOfRowAfter(rows, at + bytes);
    yield rows.subarray(at, end);
    at = end;
  }
}

/** In the text format, a line feed within a value is written otherwise. */
function endOfRowAfter(rows: Buffer, at: number): number {
  const found = rows.indexOf(endOfRow, at);
  if (found === -1) throw new Error('The rows of a copy end within one.');
  return found + 1;
}

function toHex(sums: Uint32Array): string {
  return [...sums].map((sum) => sum.toString(16).padStart(8, '0')).join('');
}

function fromHex(checksum: string): Uint32Array {
  return Uint32Array.from({ length: lanes }, (_, lane) =>
    Number.parseInt(checksum.slice(8 * lane, 8 * lane + 8), 16),
  );
}
