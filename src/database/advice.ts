import { DatabaseError } from 'pg';
import { poolerAdviceFor } from '../pooler-advice';

const reach = 'Check DATABASE_URL, that the server runs, and that this machine may reach it.';

/** What is to be mended at the server, or in the address, by the code that it answers. */
const byCode = new Map<string | undefined, string>([
  ['3D000', 'Check DATABASE_URL, or create that database.'],
  ['25006', 'It takes no writes. Name the primary in DATABASE_URL, or see why it takes none.'],
  ['42501', 'Make the user of DATABASE_URL the owner of the database and of its tables.'],
  ['53300', 'Lower DATABASE_POOL_SIZE or WORKERS, or raise max_connections.'],
]);

/** What to do about a database that cannot be used. */
export function databaseAdvice(error: unknown): string {
  if (!(error instanceof DatabaseError)) return reach;
  if (error.code?.startsWith('28')) return 'Check user and password in DATABASE_URL.';
  return byCode.get(error.code) ?? poolerAdviceFor(error) ?? reach;
}
