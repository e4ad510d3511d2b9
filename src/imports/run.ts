import { ApiError } from '../api/errors';
import { requireRoom } from '../api/quota';
import { allowLong, pool } from '../database/client';
import { beginBounded } from '../database/connections/pool';
import { directWriter, type Writer } from '../database/writer';
import { type FileForm, fileError, leavesType, mappedTwice, toItem } from './file-item';
import { importTestimonials, leastBytes, pieceCharacters } from './import';
import type { FileLine } from './lines';
import { type ImportOptions, type ItemError, maxItems } from './schema';

export type FileImport = FileForm &
  ImportOptions & {
    accountId: string;
    /** Everything is tried, and nothing of it stays. */
    isDryRun: boolean;
  };

export type Totals = {
  lines: number;
  created: number;
  updated: number;
  skipped: number;
  failed: number;
};

type Listeners = {
  /** After each batch. */
  progress: (totals: Totals) => void;
  /** A line that was not imported, and why. */
  failure: (line: number, error: ItemError) => Promise<void> | void;
};

/**
 * Imports the records of a file batch by batch, so that it takes the same memory whatever the file
 * has. Each batch is one statement, whole or not there at all; after an interruption, the same run goes
 * on, because every record has an external id. Of several records with the same one, the first counts, or
 * with `update` the last.
 * @throws ApiError QUOTA_EXCEEDED, Error where the account is closed meanwhile, UnreadableFile, and
 * whatever else reading and listeners throw
 */
export async function importFile(
  lines: AsyncIterable<FileLine>,
  { accountId, isDryRun, on_duplicate, events, ...form }: FileImport,
  { progress, failure }: Listeners,
): Promise<Totals> {
  const totals: Totals = { lines: 0, created: 0, updated: 0, skipped: 0, failed: 0 };
  let batch: { line: number; item: Record<string, unknown>; leavesType: boolean }[] = [];
  let characters = 0;
  const ids = new Set<unknown>();

  const fail = async (line: number, errors: ItemError[]) => {
    totals.failed += 1;
    await list(line, errors);
  };

  const list = async (line: number, errors: ItemError[]) => {
    for (const error of errors) await failure(line, error);
  };

  const flush = async () => {
    if (batch.length === 0) return;
    const items = batch.map(({ item }) => item);
    // Before a transaction begins: there may be no second connection.
    await requireRoom({ accountId }, { addedBytes: leastBytes(items) }).catch(sayingClosed);
    const options = { on_duplicate, events };
    const untyped = new Set(batch.flatMap((line, place) => (line.leavesType ? place : [])));
    const importItems = (writer: Pick<Writer, 'write'>) =>
      importTestimonials(accountId, items, options, {
        writer,
        isStrict: false,
        leavesType: untyped,
      });
    const answer = await (isDryRun ? inUndoneTransaction(importItems) : importItems(directWriter));
    totals.created += answer.created;
    totals.updated += answer.updated;
    totals.skipped += answer.skipped;
    totals.failed += answer.invalid;
    const tried = batch;
    batch = [];
    characters = 0;
    ids.clear();
    // First: it is stored, also where a line cannot be listed.
    progress({ ...totals });
    for (const [index, { errors }] of answer.data.entries()) {
      if (errors) await list(tried[index]?.line ?? 0, errors.map(fileError));
    }
  };

  for await (const line of lines) {
    totals.lines += 1;
    if ('problem' in line) {
      await fail(line.line, [{ message: line.problem }]);
      continue;
    }
    const given = Object.keys(line.record).filter((name) => line.record[name] !== null);
    const field = mappedTwice(given, form.mapping);
    if (field !== undefined) {
      await fail(line.line, [{ field, message: 'is given by two names that are mapped to it' }]);
      continue;
    }
    const item = toItem(line.record, form);
    const itemCharacters = JSON.stringify(item).length;
    const isFull = batch.length === maxItems || characters + itemCharacters > pieceCharacters;
    if (isFull || ids.has(item.external_id)) await flush();
    batch.push({ line: line.line, item, leavesType: leavesType(line.record, form) });
    ids.add(item.external_id);
    characters += itemCharacters;
  }
  await flush();
  return totals;
}

/** What is stored from then on would be removed with the rest, and what the API says of it is about keys. */
function sayingClosed(error: unknown): never {
  const isClosed = error instanceof ApiError && error.apiCode === 'UNAUTHORIZED';
  throw isClosed ? new Error('The account was closed meanwhile.', { cause: error }) : error;
}

/** Runs a task in a transaction that is undone when it has ended. */
async function inUndoneTransaction<T>(
  task: (writer: Pick<Writer, 'write'>) => Promise<T>,
): Promise<T> {
  const client = await pool().connect();
  try {
    allowLong(client);
    await client.query(beginBounded);
    return await task({
      write: async <Row extends object>({ text, values }: { text: string; values: unknown[] }) =>
        (await client.query<Row>({ text, values })).rows,
    });
  } finally {
    // With the connection goes what it has begun.
    client.release(true);
  }
}
