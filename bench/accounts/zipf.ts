/** Sizes of accounts, and how they fall on shards. */
import type { Random } from '../list/random';

/**
 * How many of `total` rows each of `accounts` has, by Zipf: the account of rank k is to have
 * k^-exponent times as many as the first, and has what a Poisson draw around that gives. From the
 * largest on, but for the luck of the draw.
 */
export function accountSizes(
  options: { accounts: number; total: number; exponent: number },
  random: Random,
): Float64Array {
  const { accounts, total, exponent } = options;
  const sizes = new Float64Array(accounts).map((_, index) => (index + 1) ** -exponent);
  const sum = sizes.reduce((all, weight) => all + weight, 0);
  return sizes.map((weight) => poisson((total * weight) / sum, random));
}

/** Rows of each shard, where each account is on one of them by a hash of its id. */
export function spread(sizes: Float64Array, shards: number, random: Random): Float64Array {
  const rows = new Float64Array(shards);
  for (const size of sizes) {
    const shard = random.below(shards);
    rows[shard] = (rows[shard] ?? 0) + size;
  }
  return rows;
}

/** The share of all rows that the largest accounts have; `top` is which share of accounts they are. */
export function shareOfTop(sizes: Float64Array, top: number): number {
  const sorted = sizes.toSorted().reverse();
  const largest = sorted.subarray(0, Math.max(1, Math.round(sizes.length * top)));
  return sumOf(largest) / sumOf(sizes);
}

export function sumOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0);
}

export function largestOf(values: Float64Array): number {
  return values.reduce((largest, value) => Math.max(largest, value), 0);
}

function poisson(mean: number, random: Random): number {
  if (mean > 50) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal(random)));
  const limit = Math.exp(-mean);
  let count = 0;
  for (let product = random.share(); product > limit; product *= random.share()) count += 1;
  return count;
}

/** Box and Muller. */
function normal(random: Random): number {
  const [first, second] = [1 - random.share(), random.share()];
  return Math.sqrt(-2 * Math.log(first)) * Math.cos(2 * Math.PI * second);
}
