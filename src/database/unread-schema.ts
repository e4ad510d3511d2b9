import type { Env } from '../env';

/**
 * The schema that DATABASE_URL names, as Prisma's own tools take one from an address, and that nothing
 * here reads; undefined where it names none, or the usual one. Not refused: some have it without need.
 */
export function unreadSchema({ DATABASE_URL }: Pick<Env, 'DATABASE_URL'>): string | undefined {
  const [, schema = 'public'] = DATABASE_URL?.match(/[?&]schema=([^&#]*)/) ?? [];
  return schema === 'public' ? undefined : schema;
}

/** What to tell whoever starts the service with such an address; undefined where all is well. */
export function unreadSchemaWarning(settings: Pick<Env, 'DATABASE_URL'>): string | undefined {
  const schema = unreadSchema(settings);
  if (schema === undefined) return undefined;
  return (
    `schema=${schema} in DATABASE_URL is not read: the tables are where the search_path of its user ` +
    'leads. Two services that differ in it alone share all: take it out, and give each a database of its own.'
  );
}
