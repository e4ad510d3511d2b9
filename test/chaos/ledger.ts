/** What was sent and what was confirmed, to be compared with what the database holds at the end. */
import { Client } from 'pg';
import { z } from 'zod';

/** A testimonial whose creation was answered with success. */
export type KeptRow = {
  id: string;
  /** In its text, and in that of no other. */
  marker: string;
  /** Several where the fate of a change is unknown. */
  statuses: Set<string>;
  /** When its creation was answered, by `performance.now()`. */
  answeredAt: number;
};

type Comparison = { lost: number; doubled: number; wrong: number };

export type Ledger = {
  /** Every creation that was sent, whatever came of it. */
  sent: Set<string>;
  /** By id. */
  kept: Map<string, KeptRow>;
};

export function createLedger(): Ledger {
  return { sent: new Set(), kept: new Map() };
}

const stored = z.array(z.object({ id: z.string(), marker: z.string(), status: z.string() }));
const events = z.array(z.object({ id: z.string() }));

/** Every stored testimonial of the account against the ledger. */
export async function compare(url: string, accountId: string, ledger: Ledger): Promise<Comparison> {
  const sql = `SELECT id, coalesce(text_content, '') AS marker, status::text
               FROM testimonials WHERE user_id = $1`;
  const rows = stored.parse(await readRows(url, sql, [accountId]));
  const byId = new Map(rows.map((row) => [row.id, row]));
  const kept = [...ledger.kept.values()];
  const lost = kept.filter(({ id }) => !byId.has(id)).length;
  const changed = kept.filter(({ id, statuses, marker }) => {
    const row = byId.get(id);
    return row && !(statuses.has(row.status) && row.marker === marker);
  });
  const strange = rows.filter(({ marker }) => !ledger.sent.has(marker));
  const doubled = rows.length - new Set(rows.map(({ marker }) => marker)).size;
  return { lost, doubled, wrong: changed.length + strange.length };
}

/** The ids of all committed events of the account that some endpoint was to get. */
export async function committedEvents(url: string, accountId: string): Promise<string[]> {
  const sql = `SELECT DISTINCT e.id FROM webhook_events e
               JOIN webhook_deliveries d ON d.event_id = e.id WHERE e.user_id = $1`;
  return events.parse(await readRows(url, sql, [accountId])).map(({ id }) => id);
}

export async function readRows(url: string, sql: string, values: unknown[] = []) {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 60_000 });
  // What it was asked fails too, and says more.
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(sql, values)).rows;
  } finally {
    await client.end();
  }
}
