import { database } from '@/src/database/client';
import { Prisma } from '@/src/database/generated/client';

/** Tables whose rows have an id and say whose they are. */
async function tablesWithIds(): Promise<string[]> {
  const tables = await database().$queryRaw<{ name: string }[]>`
    SELECT table_name::text AS name FROM information_schema.columns
    WHERE table_schema = current_schema()
      AND (column_name = 'user_id' OR column_name = 'id' AND data_type = 'uuid')
    GROUP BY 1 HAVING count(*) = 2 ORDER BY 1`;
  return tables.map(({ name }) => name);
}

/** Every id in a text that is that of another account, or of a row which another account has. */
export async function idsOfOthers(accountId: string, text: string): Promise<string[]> {
  const ids = text.match(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g) ?? [];
  const tables = await tablesWithIds();
  const owned = [
    Prisma.sql`SELECT id, id AS user_id FROM users`,
    Prisma.sql`SELECT d.id, e.user_id FROM webhook_deliveries d
      JOIN webhook_endpoints e ON e.id = d.endpoint_id`,
    ...tables.map((name) => Prisma.sql`SELECT id, user_id FROM ${Prisma.raw(`"${name}"`)}`),
  ];
  const rows = await database().$queryRaw<{ id: string }[]>`
    SELECT DISTINCT id::text FROM (${Prisma.join(owned, ' UNION ALL ')}) owned
    WHERE id = ANY(${ids}::uuid[]) AND user_id <> ${accountId}::uuid`;
  return rows.map(({ id }) => id);
}
