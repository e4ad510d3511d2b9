/** What replicas are put through while they are read from. */
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { Standby } from '../chaos/servers';

type Disturbance = {
  /** How often something was done, by what. */
  counts: Record<string, number>;
  stop(): Promise<void>;
};

const pauseMs = [20, 1_200] as const;
const runMs = [20, 800] as const;

const promotionMs = 30_000;

/**
 * Stops one of the standbys from replaying for a while, again and again, each as often as the others.
 * One that is dead meanwhile is passed over.
 */
export function pauseAtRandom(standbys: Standby[]): Disturbance {
  const counts = { paused: 0, resumed: 0 };
  return repeat(counts, standbys, async ({ url }) => {
    const isPaused = await tryOn(url, 'SELECT pg_wal_replay_pause()');
    if (isPaused) counts.paused += 1;
    await sleep(randomInt(...pauseMs));
    if (await tryOn(url, 'SELECT pg_wal_replay_resume()')) counts.resumed += 1;
    await sleep(randomInt(...runMs));
  });
}

/** Removes what is dead of the primary's rows, which standbys have to follow under what reads them. */
export function vacuumAtRandom(primaryUrl: string): Disturbance {
  const counts = { vacuums: 0 };
  return repeat(counts, [primaryUrl], async (url) => {
    const vacuum = 'VACUUM users, testimonials, testimonial_counts, spaces';
    if (await tryOn(url, vacuum)) counts.vacuums += 1;
    await sleep(randomInt(100, 600));
  });
}

/**
 * Makes a standby a primary of its own, and changes there what it has: from then on it tells of what
 * never was.
 */
export async function promoteAndSpoil({ url }: Standby): Promise<void> {
  const spoil = `UPDATE testimonials SET status = 'rejected', text_content = 'never written'`;
  await tryOn(url, 'SELECT pg_promote()');
  const deadline = performance.now() + promotionMs;
  // It replays first what it has got.
  while (!(await tryOn(url, spoil))) {
    if (performance.now() > deadline) throw new Error('The standby did not become a primary');
    await sleep(100);
    await tryOn(url, 'SELECT pg_promote(false)');
  }
}

function repeat<T>(
  counts: Record<string, number>,
  subjects: T[],
  disturb: (subject: T) => Promise<void>,
): Disturbance {
  let isStopping = false;
  const runs = subjects.map(async (subject) => {
    while (!isStopping) await disturb(subject);
  });
  return {
    counts,
    stop: async () => {
      isStopping = true;
      await Promise.all(runs);
    },
  };
}

async function tryOn(url: string, sql: string): Promise<boolean> {
  try {
    await on(url, sql);
    return true;
  } catch {
    return false;
  }
}

async function on(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query(sql);
  } finally {
    await client.end();
  }
}
