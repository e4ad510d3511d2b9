/** What the benchmark of costs measures, as it is kept in measured.json. */
import { z } from 'zod';

const cost = z.object({
  /** Milliseconds of CPU of the service's process. */
  service: z.number(),
  /** Milliseconds of CPU of the whole Postgres server. */
  database: z.number(),
  /** Bytes of write-ahead log without images of pages. */
  wal: z.number(),
  /** Bytes of images of pages, of which each is written once after a checkpoint. */
  images: z.number(),
});

const table = z.object({
  rows: z.number(),
  /** Bytes for each row: of the table with its texts that are stored apart, and of each index. */
  bytes: z.number(),
  indexes: z.record(z.string(), z.number()),
});

export const figures = z.object({
  rows: z.number(),
  node: z.string(),
  postgres: z.string(),
  /** Rows of the largest account. */
  bigAccountRows: z.number(),
  /** Bytes that a testimonial counts for the quota of its account, in the mean. */
  quotaBytes: z.number(),
  tables: z.record(z.string(), table),
  operations: z.record(z.string(), cost),
});

export type Cost = z.infer<typeof cost>;
export type TableSize = z.infer<typeof table>;
export type Figures = z.infer<typeof figures>;
