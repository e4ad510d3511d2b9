import { DatabaseError } from 'pg';
import { messageOf } from '../../error-parts';
import { trigramsAdvice } from '../connections/advice';
import { migrationsTable } from './tables';

/** The database and the migrations do not fit together; the message says what to do. */
export class MigrationError extends Error {
  override name = 'MigrationError';
}

export function unknownError(name: string): MigrationError {
  return new MigrationError(
    `The database has the migration ${name}, which this version of the service does not know: ` +
      'a newer version has used it. Start that version or a later one, or restore a backup.',
  );
}

/** Of a database that has this migration, and none of the service's. */
export function strangersError(name: string): MigrationError {
  return new MigrationError(
    `The database has the migration ${name}, and none of this service: another application keeps its ` +
      'migrations there. Name a database in DATABASE_URL that the service has for itself.',
  );
}

/** Of a backup, or of a database that is moved. */
export function unknownSourceError(name: string): MigrationError {
  return new MigrationError(
    `What is copied has the migration ${name}, which this version of the service does not know: ` +
      'a newer version has made it. Copy it with that version or a later one. Nothing was changed.',
  );
}

export function unfinishedCopyError(): MigrationError {
  return new MigrationError(
    'A move or a restore into this database was interrupted. Run the same command again to finish ' +
      'it; until then, no service can use the database, and nothing is copied from it.',
  );
}

/** Of a database that could not store what people write. */
export function encodingError(encoding: string): MigrationError {
  return new MigrationError(
    `The database is encoded ${encoding}, and only UTF8 stores every letter. Make another with ` +
      `"CREATE DATABASE … TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C.UTF-8' LC_CTYPE 'C.UTF-8'". ` +
      'Nothing was changed.',
  );
}

export function undoneError(name: string, reason: string): MigrationError {
  return new MigrationError(
    `The migration ${name} failed: ${reason.trim()}\n` +
      'Nothing of it was kept, and the next start tries it again: remove the cause first. Until ' +
      'then, the version of the service that ran before can go on with this database.',
  );
}

export function failedError(name: string, reason: string | null): MigrationError {
  return new MigrationError(
    `The migration ${name} failed: ${reason?.trim() || 'no reason was recorded'}\n` +
      'Remove the cause, check that nothing of the migration is left in the database, then allow ' +
      `another try with "npx prisma migrate resolve --rolled-back ${name}", or with the SQL:\n` +
      `UPDATE ${migrationsTable} SET rolled_back_at = now() ` +
      `WHERE migration_name = '${name}' AND finished_at IS NULL;`,
  );
}

export function describeFailure(error: unknown, script: string): string {
  if (!(error instanceof DatabaseError)) {
    return messageOf(error);
  }
  const position = Number(error.position);
  const line = position > 0 && script.slice(0, position).split('\n').length;
  return [
    `${error.message} (SQLSTATE ${error.code}${line ? `, line ${line} of migration.sql` : ''})`,
    error.detail && `Detail: ${error.detail}`,
    error.hint && `Hint: ${error.hint}`,
    error.where && `Where: ${error.where}`,
    /gin_trgm_ops/.test(error.message) && trigramsAdvice,
  ]
    .filter(Boolean)
    .join('\n');
}
