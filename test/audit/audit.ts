import { listAuditEntries } from '@/src/audit/audit';
import type { AuditEntry } from '@/src/audit/schema';
import { callTrpc } from '../helpers/session';

/** The entries of an account, newest first. */
export async function entriesOf(accountId: string): Promise<AuditEntry[]> {
  return (await listAuditEntries(accountId, { limit: 100 })).data;
}

/** What an entry says, without ids and instants. */
export function told({ action, subject, changes }: AuditEntry) {
  return { action, name: subject.name, changes };
}

/** A mutation of a person with that cookie, from an address. */
export async function change(
  procedure: string,
  input: unknown,
  headers: Record<string, string>,
): Promise<{ id: string; key: string; secret: string }> {
  const { data, text } = await callTrpc('mutation', procedure, input, headers);
  if (!data) throw new Error(text);
  return { id: String(data.id), key: String(data.key), secret: String(data.secret) };
}
