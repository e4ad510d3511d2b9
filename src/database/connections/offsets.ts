/**
 * Instants between Prisma and Postgres, whatever the session's time zone. Prisma's adapter sends
 * them without an offset and drops the offset that Postgres sends, so it is right in a session of
 * UTC alone. A zone cannot be set for good where a pooler hands the connection from client to client.
 */
import type { SqlQuery } from '@prisma/driver-adapter-utils';
import { types } from 'pg';
import { MeteredRead } from './large-reads';

type TypeParser = (text: string) => unknown;
type FindParser = (oid: number, format: string) => TypeParser;

/**
 * The same statement with every instant among its arguments as ISO 8601 with `Z`. For columns with a
 * time zone, and this data model has no others.
 */
export function withOffsets(query: SqlQuery): SqlQuery {
  const isInstant = query.argTypes.map(({ scalarType }) => scalarType === 'datetime');
  if (!isInstant.includes(true)) return query;
  return {
    ...query,
    args: query.args.map((arg, index) => (isInstant[index] ? toIsoText(arg) : arg)),
    // The adapter leaves strings as they are.
    argTypes: query.argTypes.map((type, index) =>
      isInstant[index] ? { ...type, scalarType: 'string' } : type,
    ),
  };
}

function toIsoText(arg: unknown): unknown {
  if (Array.isArray(arg)) return arg.map(toIsoText);
  const isInstant = arg instanceof Date || typeof arg === 'string';
  return isInstant ? new Date(arg).toISOString() : arg;
}

/** The same statement for the driver, with the offset of each instant in its answer honoured. */
export function readOffsets(statement: unknown): unknown {
  const find = parserFinderOf(statement);
  if (!find || typeof statement !== 'object') return statement;
  return {
    ...statement,
    types: {
      getTypeParser: (oid: number, format: string): TypeParser => {
        const parse = find(oid, format);
        if (oid !== types.builtins.TIMESTAMPTZ || format !== 'text') return parse;
        return (text) => parse(inUtc(text));
      },
    },
  };
}

/** Undefined where the driver's own parsers are used, also those that are metered: they honour it. */
function parserFinderOf(statement: unknown): FindParser | undefined {
  const isConfig = typeof statement === 'object' && statement !== null;
  const own = isConfig && 'types' in statement ? statement.types : undefined;
  if (typeof own !== 'object' || own === null || own instanceof MeteredRead) return undefined;
  if (!('getTypeParser' in own)) return undefined;
  const find = own.getTypeParser;
  return typeof find === 'function'
    ? (oid, format) => Reflect.apply(find, own, [oid, format])
    : undefined;
}

const parseInstant: TypeParser = types.getTypeParser(types.builtins.TIMESTAMPTZ, 'text');

/** `2026-07-01 12:00:00.5+02` as `2026-07-01 10:00:00.500+00`; to the millisecond, as in Prisma. */
function inUtc(text: string): string {
  if (text.endsWith('+00')) return text;
  const instant = parseInstant(text);
  // Infinite ones are no dates.
  return instant instanceof Date
    ? instant.toISOString().replace('T', ' ').replace('Z', '+00')
    : text;
}
