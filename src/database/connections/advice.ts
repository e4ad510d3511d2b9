import { DatabaseError } from 'pg';
import { z } from 'zod';
import { codeOf, messageOf, syscallOf } from '../../error-parts';
import { poolerAdviceFor } from '../../logging/pooler-advice';

const reach = 'Check DATABASE_URL, that the server runs, and that this machine may reach it.';

/** Where the extension is in a schema of its own, as hosts keep theirs. */
export const trigramsAdvice =
  'Add the schema of pg_trgm to the search_path of the user of DATABASE_URL, behind that of the tables: ' +
  'ALTER ROLE … SET search_path = public, ….';

export const noSchemaAdvice =
  'No schema of the search_path of that user exists: create one of them, or ALTER ROLE … RESET search_path.';

/** What is to be mended at the server, or in the address, by the code that it answers. */
const byCode = new Map<string | undefined, string>([
  ['3D000', 'Check DATABASE_URL, or create that database.'],
  ['25006', 'It takes no writes. Name the primary in DATABASE_URL, or see why it takes none.'],
  [
    '42501',
    'Make the user of DATABASE_URL the owner of the database and of its tables; and see that the first ' +
      'schema of its search_path is one in which it may make them.',
  ],
  ['3F000', noSchemaAdvice],
  [
    '53300',
    'Lower DATABASE_POOL_SIZE or WORKERS, or raise what the server says is full: max_connections, or the ' +
      'CONNECTION LIMIT of that user or database.',
  ],
]);

const trust =
  'Name the server in DATABASE_URL as its certificate does. Where an authority of your own, or of your ' +
  'provider, signed that, add sslrootcert=/path/to/its.pem; sslmode=no-verify takes any certificate.';

/**
 * The driver reads the files that the address names, and it alone opens any: a socket that is not there
 * has the same code.
 */
function isOfFile(error: unknown): boolean {
  return codeOf(error) === 'EISDIR' || syscallOf(error) === 'open';
}

const files =
  'Check the file that DATABASE_URL names as sslrootcert, sslcert or sslkey, and that this user may read it.';

/** By what Node says of a connection that did not come to a first answer. */
function adviceBeforeAnswers(error: unknown): string {
  if (/CERT|SIGNATURE/.test(codeOf(error) ?? '')) return trust;
  if (isOfFile(error)) return files;
  // The driver says it without a code.
  if (/does not support SSL/.test(messageOf(error)))
    return 'Leave sslmode out of DATABASE_URL where the network is your own, or switch TLS on at the server.';
  return reach;
}

/**
 * With this code alone nobody could tell it from an unknown user. The words are in the language of the
 * server; the names of the file and of TLS, which it says of a connection that has it, are in all.
 */
function isRefusedWithoutTls({ code, message }: DatabaseError): boolean {
  return code === '28000' && message.includes('pg_hba.conf') && !message.includes('SSL');
}

/** What Prisma keeps of an answer of the server. */
const answered = z.object({
  meta: z.object({
    driverAdapterError: z.object({
      cause: z.object({ originalCode: z.string(), originalMessage: z.string() }),
    }),
  }),
});

/** The answer of the server that Prisma's error is about; every other error as it is. */
export function unwrapped(error: unknown): unknown {
  const { data } = answered.safeParse(error);
  if (!data) return error;
  const { originalCode: code, originalMessage } = data.meta.driverAdapterError.cause;
  return Object.assign(new DatabaseError(originalMessage, originalMessage.length, 'error'), {
    code,
  });
}

/** The same about a database that another setting or an argument may name. */
export function adviceOfAny(error: unknown): string {
  return databaseAdvice(error).replaceAll('DATABASE_URL', 'its address');
}

/** What to do about a database that cannot be used. */
export function databaseAdvice(error: unknown): string {
  if (!(error instanceof DatabaseError)) return adviceBeforeAnswers(error);
  if (isRefusedWithoutTls(error)) {
    return (
      'It may take connections with TLS alone: add sslmode=verify-full to DATABASE_URL. Else check user ' +
      'and database there, and pg_hba.conf at the server.'
    );
  }
  // PgBouncer has one code for all that it refuses.
  if (/statement pooling mode/.test(error.message))
    return 'Set pool_mode = transaction, or session, at PgBouncer: the service has transactions of several statements.';
  if (error.code?.startsWith('28')) return 'Check user and password in DATABASE_URL.';
  return byCode.get(error.code) ?? poolerAdviceFor(error) ?? reach;
}
