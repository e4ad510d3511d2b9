import { createHash } from 'node:crypto';
import { externalId } from '../testimonials/schema';
import { type ItemError, importedTestimonial } from './schema';

/** The fields that a column of a file can be. */
export const fileFields = importedTestimonial.keyof().options;

/** How a file is read. */
export type FileForm = {
  /** Where every record goes; without it, where its own `space_id` says. */
  spaceId?: string | undefined;
  /** Our fields by the file's names for them. Our own names need not be in it. */
  mapping: ReadonlyMap<string, string>;
};

/** What of a file's names is looked at. */
export function namesTaken(mapping: FileForm['mapping']): ReadonlySet<string> {
  return new Set([...fileFields, 'id', ...mapping.keys()]);
}

/** A field of ours that two of these names are mapped to: of their values one would be lost. */
export function mappedTwice(
  names: readonly (string | null)[],
  mapping: FileForm['mapping'],
): string | undefined {
  const fields = names.flatMap((name) => (name === null ? [] : (mapping.get(name) ?? [])));
  return fields.find((field, index) => fields.indexOf(field) !== index);
}

/** What a record says by our names for it: mapped names count, also where it has our own besides. */
export function byOurNames(
  record: Record<string, unknown>,
  mapping: FileForm['mapping'],
): Record<string, unknown> {
  const entries = Object.entries(record);
  // Of two names in JSON that are mapped to one field, the one that says something counts.
  const mapped = entries
    .flatMap(([name, value]): [string, unknown][] => {
      const ours = mapping.get(name);
      return ours === undefined ? [] : [[ours, value]];
    })
    .sort(([, one], [, other]) => Number(one !== null) - Number(other !== null));
  return Object.fromEntries([...entries.filter(([name]) => !mapping.has(name)), ...mapped]);
}

/**
 * A record of a file as an item of an import, always with an external id, so that a second run creates
 * nothing twice: its own, else its `id`, else one that is made of all it says, by which records that
 * say the same are one testimonial. Fields that are null are left out.
 */
export function toItem(
  record: Record<string, unknown>,
  { spaceId, mapping }: FileForm,
): Record<string, unknown> {
  const given = byOurNames(record, mapping);
  const item: Record<string, unknown> = {};
  for (const name of fileFields) {
    const value = converted(name, given[name]);
    if (value !== undefined) item[name] = value;
  }
  item.type ??= item.video_url === undefined ? 'text' : 'video';
  if (spaceId !== undefined) item.space_id = spaceId;
  item.external_id ??= ownId(given.id) ?? digestOf(item);
  return item;
}

/** Whether a record says nothing of its type: a new testimonial is a text then, another stays what it is. */
export function leavesType(record: Record<string, unknown>, { mapping }: FileForm): boolean {
  const given = byOurNames(record, mapping);
  const says = (name: Field) => converted(name, given[name]) !== undefined;
  return !says('type') && !says('video_url');
}

type Field = (typeof fileFields)[number];

/** What files write as text, and dates in the forms that other tools export. */
function converted(name: Field, value: unknown): unknown {
  if (value === null || value === undefined) return undefined;
  if (name === 'external_id' && typeof value === 'number') return String(value);
  // No field takes one, whatever is in it: and it may nest deeper than calls can.
  if (typeof value === 'object') return {};
  if (typeof value !== 'string') return value;
  if (name === 'rating' && /^\d(?:[.,]0+)?$/.test(value)) return Number(value[0]);
  const instant = name === 'created_at' ? instantOf(value) : undefined;
  if (instant !== undefined) return instant;
  const isTaken = () => importedTestimonial.shape[name].safeParse(value).success;
  // Some programs write quotes around what is not there.
  if (value === '' && !isTaken()) return undefined;
  // Blanks around it are seen by nobody. Of a text they are a part.
  const bare = value.trim();
  return bare === value || isTaken() ? value : converted(name, bare);
}

const dateForm =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d(?:\.\d+)?)? ?(?:Z|UTC|([+-]\d\d)(?::?(\d\d))?)?)?$/;

/**
 * A date alone is its midnight, a time may lack its seconds, and without an offset it is in UTC. One of
 * whole hours may be those alone, as Postgres writes it.
 */
function instantOf(text: string): string | undefined {
  const parts = dateForm.exec(text) ?? [];
  const [, date, time = '00:00', seconds = ':00', hours, minutes = '00'] = parts;
  const offset = hours === undefined ? 'Z' : `${hours}:${minutes}`;
  return date && `${date}T${time}${seconds}${offset}`;
}

/** What a file may write is said of its dates: the item's own rule asks for more than files need. */
export function fileError(error: ItemError): ItemError {
  if (error.field !== 'created_at') return error;
  return {
    ...error,
    message:
      'must be a date in the past that begins with the year, such as 2019-05-04 or 2019-05-04 08:15',
  };
}

function ownId(id: unknown): string | undefined {
  const text = typeof id === 'number' ? String(id) : id;
  return externalId.safeParse(text).data;
}

function digestOf(item: Record<string, unknown>): string {
  const said = Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1));
  return `line-${createHash('sha256').update(JSON.stringify(said)).digest('hex').slice(0, 40)}`;
}
