import { Prisma } from '../generated/client';
import { wireInstantColumn } from './instants';

/** The types of columns that go on the wire, as Postgres names them. */
export type ColumnType =
  | 'uuid'
  | 'text'
  | 'smallint'
  | 'integer'
  | 'jsonb'
  | 'timestamptz'
  | 'testimonial_type'
  | 'testimonial_status'
  | 'transcription_state';

/** The columns of a resource by name: one for each field that it has on the wire. */
export type Columns<Resource> = { [Name in keyof Resource]-?: ColumnType };

/** The columns of a table called `alias`, as the fields of the resource are written. */
export function selectList(columns: Record<string, ColumnType>, alias: string): Prisma.Sql {
  const list = Object.entries(columns).map(([name, type]) =>
    type === 'timestamptz'
      ? `${wireInstantColumn(`${alias}.${name}`)} AS ${name}`
      : `${alias}.${name}`,
  );
  return Prisma.raw(list.join(', '));
}

/** Names of columns, which are never a client's, separated by commas. */
export function nameList(names: readonly string[]): Prisma.Sql {
  return Prisma.raw(names.join(', '));
}

/** The values of an input in the order of `names`; NULL for those that it leaves out. */
export function valueList<Input extends object>(
  columns: Columns<Input>,
  names: readonly (keyof Input)[],
  input: Input,
): Prisma.Sql {
  return Prisma.join(names.map((name) => columnValue(input[name], columns[name])));
}

/** `name = value` for every field that `changes` gives. */
export function assignments<Changes extends object>(
  columns: Columns<Changes>,
  changes: Changes,
): Prisma.Sql[] {
  const given = new Map<string, unknown>(Object.entries(changes));
  return Object.entries<ColumnType>(columns).flatMap(([name, type]) => {
    const value = given.get(name);
    return value === undefined
      ? []
      : [Prisma.sql`${Prisma.raw(name)} = ${columnValue(value, type)}`];
  });
}

/** A value as the column takes it; undefined is NULL. */
export function columnValue(value: unknown, type: ColumnType): Prisma.Sql {
  const stored = type === 'jsonb' && value ? JSON.stringify(value) : value;
  return Prisma.sql`${stored ?? null}::${Prisma.raw(type)}`;
}
