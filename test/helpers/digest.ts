import { database } from '@/src/database/client';
import { Prisma } from '@/src/database/generated/client';

/**
 * A digest of every row that belongs to an account, in whatever table but those named in `except`:
 * it stays the same exactly as long as nobody touches them.
 */
export async function digestOfAccount(accountId: string, except: string[] = []): Promise<string> {
  const tables = await database().$queryRaw<{ name: string }[]>`
    SELECT table_name::text AS name FROM information_schema.columns
    WHERE table_schema = current_schema() AND column_name = 'user_id' ORDER BY 1`;
  const parts = [
    Prisma.sql`SELECT 'users' AS part, t::text AS line FROM users t WHERE id = ${accountId}::uuid`,
    Prisma.sql`SELECT 'webhook_deliveries', t::text FROM webhook_deliveries t
      JOIN webhook_endpoints e ON e.id = t.endpoint_id WHERE e.user_id = ${accountId}::uuid`,
    ...tables
      .filter(({ name }) => !except.includes(name))
      .map(
        ({ name }) => Prisma.sql`SELECT ${name}, t::text FROM ${Prisma.raw(`"${name}"`)} t
        WHERE user_id = ${accountId}::uuid`,
      ),
  ];
  const [row] = await database().$queryRaw<{ digest: string }[]>`
    SELECT md5(string_agg(part || line, E'\n' ORDER BY part, line)) AS digest
    FROM (${Prisma.join(parts, ' UNION ALL ')}) rows`;
  if (!row) throw new Error('An aggregate gives one row');
  return row.digest;
}
