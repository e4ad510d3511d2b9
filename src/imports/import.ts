import { Prisma } from '../database/generated/client';
import type { Writer } from '../database/writer';
import type { ImportAnswer, ImportOptions, ItemError, ItemResult } from './schema';
import { importStatement, type Outcome, type PlacedItem } from './statement';
import { validateItem } from './validate';

/** How an import is made. */
type Import = {
  writer: Pick<Writer, 'write'>;
  /** Whether unknown fields make an item invalid. */
  isStrict: boolean;
  /** The places of items whose type counts for new testimonials alone. */
  leavesType?: ReadonlySet<number>;
};

/** How many bytes items take at least, by their texts, for what has to know before they are stored. */
export function leastBytes(items: readonly unknown[]): number {
  return items.reduce<number>((bytes, item) => {
    const text: unknown = Reflect.get(Object(item), 'text_content');
    return typeof text === 'string' ? bytes + text.length : bytes;
  }, 1);
}

/**
 * One statement takes so many characters of items at once. The database sorts the trigrams of long
 * texts in meanwhile, and the embedded one, whose only session is busy with it, answers nobody: a part
 * of a second instead of ten, on a quiet machine.
 */
export const pieceCharacters = 250_000;

/**
 * Creates, updates or skips each of the items, of which those that are not valid refuse no other. The
 * results are in the order of the items. Each piece of the items is a statement, and without a
 * transaction around them those that were done stay done where a later one fails. A second statement,
 * which only reads, follows only where another import brings the same testimonials at the same time.
 */
export async function importTestimonials(
  accountId: string,
  items: readonly unknown[],
  options: ImportOptions,
  { writer, ...reading }: Import,
): Promise<ImportAnswer> {
  const { valid, results } = validateAll(items, reading);
  /** The external ids of pieces before. */
  const taken = new Set<string>();
  for (const piece of inPieces(valid)) {
    const given: PlacedItem[] = [];
    for (const item of piece) {
      if (item.external_id === undefined || !taken.has(item.external_id)) given.push(item);
      else results[item.place] = repeated(item.external_id);
    }
    for (const { place, external_id, result } of await importPiece(
      accountId,
      given,
      options,
      writer,
    )) {
      results[place] = result;
      if (external_id !== undefined && result.result !== 'invalid') taken.add(external_id);
    }
  }
  const count = (kind: ItemResult['result']) =>
    results.filter(({ result }) => result === kind).length;
  return {
    data: results,
    created: count('created'),
    updated: count('updated'),
    skipped: count('skipped'),
    invalid: count('invalid'),
  };
}

/** The items that are valid, and at their places the results of the others. */
function validateAll(
  items: readonly unknown[],
  { isStrict, leavesType }: Omit<Import, 'writer'>,
): { valid: PlacedItem[]; results: ItemResult[] } {
  const valid: PlacedItem[] = [];
  const results: ItemResult[] = [];
  for (const [place, sent] of items.entries()) {
    const validated = validateItem(sent, { isStrict });
    if ('item' in validated)
      valid.push({ ...validated.item, place, leaves_type: leavesType?.has(place) ?? false });
    else results[place] = invalid(validated.externalId, validated.errors);
  }
  return { valid, results };
}

/** Items in their order, as many at a time as one statement takes. */
function inPieces(items: PlacedItem[]): PlacedItem[][] {
  const pieces: PlacedItem[][] = [];
  let left = 0;
  for (const item of items) {
    const characters = charactersOf(item);
    if (pieces.length === 0 || characters > left) {
      pieces.push([]);
      left = pieceCharacters;
    }
    pieces.at(-1)?.push(item);
    left -= characters;
  }
  return pieces;
}

function charactersOf(item: PlacedItem): number {
  return Object.values(item).reduce<number>(
    (sum, value) => (typeof value === 'string' ? sum + value.length : sum),
    0,
  );
}

type PlacedResult = Pick<PlacedItem, 'place' | 'external_id'> & { result: ItemResult };

async function importPiece(
  accountId: string,
  items: PlacedItem[],
  options: ImportOptions,
  writer: Import['writer'],
): Promise<PlacedResult[]> {
  if (items.length === 0) return [];
  const statement = importStatement(accountId, items, options);
  // On a busy machine, or behind others, it may take long all the same.
  const outcomes = await writer.write<Outcome>(statement, { isLong: true });
  const byPlace = new Map(outcomes.map((outcome) => [outcome.place, outcome]));
  const missed = items.filter(({ place }) => isMissed(byPlace.get(place)));
  const late = await idsOf(accountId, options.on_duplicate === 'skip' ? missed : [], writer);
  return items.map(({ place, external_id }) => {
    const lateId = external_id === undefined ? undefined : late.get(external_id);
    return { place, external_id, result: resultOf(byPlace.get(place), external_id, lateId) };
  });
}

/** Whether an item met another transaction with the same external id. */
function isMissed(outcome: Outcome | undefined): boolean {
  if (!outcome) return true;
  const { refused, is_repeated, created_id, updated_id, found_id } = outcome;
  return !(refused || is_repeated || created_id || updated_id || found_id);
}

/** The testimonials that another transaction has brought meanwhile, by their external ids. */
async function idsOf(
  accountId: string,
  items: PlacedItem[],
  { write }: Pick<Writer, 'write'>,
): Promise<Map<string, string>> {
  if (items.length === 0) return new Map();
  const externalIds = items.map(({ external_id }) => external_id);
  const rows = await write<{ id: string; external_id: string }>(Prisma.sql`
    SELECT t.id, t.external_id FROM testimonials t
    WHERE t.user_id = ${accountId}::uuid AND t.external_id IS NOT NULL
      AND t.external_id = ANY (${externalIds}::text[])`);
  return new Map(rows.map(({ id, external_id }) => [external_id, id]));
}

function resultOf(
  outcome: Outcome | undefined,
  externalId: string | undefined,
  lateId: string | undefined,
): ItemResult {
  const named = externalId === undefined ? {} : { external_id: externalId };
  const { refused, is_repeated, created_id, updated_id, found_id } = outcome ?? {};
  if (refused) return invalid(externalId, [{ field: refused, message: refusals[refused] }]);
  if (is_repeated) return repeated(externalId);
  if (created_id) return { result: 'created', id: created_id, ...named };
  if (updated_id) return { result: 'updated', id: updated_id, ...named };
  const id = found_id ?? lateId;
  if (id) return { result: 'skipped', id, ...named };
  const message = 'is being imported by another request, send it again';
  return invalid(externalId, [{ field: 'external_id', message }]);
}

function repeated(externalId: string | undefined): ItemResult {
  return invalid(externalId, [{ field: 'external_id', message: 'is that of an earlier item' }]);
}

const refusals = {
  space_id: 'is no space of the account',
  created_at: 'lies in the future',
};

function invalid(externalId: string | undefined, errors: ItemError[]): ItemResult {
  return {
    result: 'invalid',
    ...(externalId !== undefined && { external_id: externalId }),
    errors,
  };
}
