import { Prisma } from '../database/generated/client';
import { readRows } from '../database/read-rows';
import { wireInstants } from '../database/sql/instants';
import { behind, logPage } from '../database/sql/log-cursor';
import { auditLimits } from './limits';
import type { AuditEntry, AuditPage, ListAuditInput } from './schema';

/** One page of who changed what in the account, newest first. Nothing older than it is kept for. */
export async function listAuditEntries(
  accountId: string,
  { subject_id, limit, cursor }: ListAuditInput,
): Promise<AuditPage> {
  const conditions = [
    Prisma.sql`e.user_id = ${accountId}::uuid
      AND e.created_at > now() - make_interval(days => ${auditLimits.days}::int)`,
  ];
  if (subject_id) conditions.push(Prisma.sql`e.subject_id = ${subject_id}::uuid`);
  if (cursor) conditions.push(behind(cursor, Prisma.sql`e.created_at`, Prisma.sql`e.id`));
  const rows = await readRows<AuditEntry>(Prisma.sql`
    SELECT e.id, ${wireInstants('e', 'created_at')}, e.action, e.changes,
      json_build_object('type', e.subject_type, 'id', e.subject_id, 'name', e.subject_name,
        'hint', e.subject_hint) AS subject,
      json_build_object('type', e.actor_type, 'name', e.actor_name, 'hint', e.actor_hint,
        'address', e.actor_address) AS actor
    FROM audit_entries e WHERE ${Prisma.join(conditions, ' AND ')}
    ORDER BY e.created_at DESC, e.id DESC LIMIT ${limit + 1}`);
  return logPage(rows, limit, ({ created_at }) => created_at);
}
