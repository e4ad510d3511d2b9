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
};

/** How many bytes items take at least, by their texts, for what has to know before they are stored. */
export function leastBytes(items: readonly unknown[]): number {
  return items.reduce<number>((bytes, item) => {
    const text: unknown = Reflect.get(Object(item), 'text_content');
    return typeof text === 'string' ? bytes + text.length : bytes;
  }, 1);
}

/**
 * Creates, updates or skips each of the items, of which those that are not valid refuse no other. The
 * results are in the order of the items. Two statements at most, whatever their number, and the
 * second, which only reads, only where another import brings the same testimonials at the same time.
 */
export async function importTestimonials(
  accountId: string,
  items: readonly unknown[],
  options: ImportOptions,
  { writer, isStrict }: Import,
): Promise<ImportAnswer> {
  const results: ItemResult[] = [];
  const valid: PlacedItem[] = [];
  for (const [place, sent] of items.entries()) {
    const validated = validateItem(sent, { isStrict });
    if ('item' in validated) valid.push({ ...validated.item, place });
    else results[place] = invalid(validated.externalId, validated.errors);
  }
  if (valid.length > 0) {
    // Texts of 8 MiB are searchable only once their trigrams are sorted in.
    const statement = importStatement(accountId, valid, options);
    const outcomes = await writer.write<Outcome>(statement, { isLong: true });
    const byPlace = new Map(outcomes.map((outcome) => [outcome.place, outcome]));
    const missed = valid.filter(({ place }) => isMissed(byPlace.get(place)));
    const late = await idsOf(accountId, options.on_duplicate === 'skip' ? missed : [], writer);
    for (const { place, external_id } of valid) {
      const outcome = byPlace.get(place);
      const lateId = external_id === undefined ? undefined : late.get(external_id);
      results[place] = resultOf(outcome, external_id, lateId);
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
  if (is_repeated) {
    return invalid(externalId, [{ field: 'external_id', message: 'is that of an earlier item' }]);
  }
  if (created_id) return { result: 'created', id: created_id, ...named };
  if (updated_id) return { result: 'updated', id: updated_id, ...named };
  const id = found_id ?? lateId;
  if (id) return { result: 'skipped', id, ...named };
  const message = 'is being imported by another request, send it again';
  return invalid(externalId, [{ field: 'external_id', message }]);
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
