import { DatabaseError } from 'pg';
import { databaseAdvice } from '@/src/database/connections/advice';
import { Connection } from '@/src/database/connections/connection';
import { createLog } from '@/src/logging/log';

test.each([
  ['28P01', 'Check user and password'],
  ['3D000', 'create that database'],
  ['25006', 'Name the primary'],
  ['42501', 'the owner of the database'],
  ['42501', 'search_path'],
  ['3F000', 'create one of them'],
  ['26000', 'Add ?pgbouncer=true'],
  ['42P05', 'Add ?pgbouncer=true'],
  ['53300', 'max_connections'],
  ['53300', 'CONNECTION LIMIT'],
  ['57P03', 'that the server runs'],
])('a database that answers %s is told with what to do', (code, advice) => {
  const error = Object.assign(new DatabaseError('no', 2, 'error'), { code });
  expect(databaseAdvice(error)).toContain(advice);
});

test('of one that does not answer, the address and the server are to be checked', () => {
  expect(databaseAdvice(new Error('connect ECONNREFUSED'))).toMatch(/^Check DATABASE_URL/);
});

test.each([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'CERT_HAS_EXPIRED',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])('of a certificate that is refused as %s, it is said how another one is trusted', (code) => {
  const error = Object.assign(new Error('no'), { code });
  expect(databaseAdvice(error)).toContain('sslrootcert=');
});

test('a server without TLS is told of with what sslmode is to be', () => {
  const without = new Error('The server does not support SSL connections');
  expect(databaseAdvice(without)).toContain('Leave sslmode out');
});

test.each([
  [
    'no pg_hba.conf entry for host "::1", user "u", database "d", ',
    'no encryption',
    'SSL encryption',
  ],
  [
    'kein pg_hba.conf-Eintrag für Host »::1«, Benutzer »u«, Datenbank »d«, ',
    'keine Verschlüsselung',
    'SSL-Verschlüsselung',
  ],
])(
  'a server that may want TLS is told from others, in its own language: %s',
  (refused, none, tls) => {
    const advised = (message: string) =>
      databaseAdvice(Object.assign(new DatabaseError(message, 2, 'error'), { code: '28000' }));
    expect(advised(refused + none)).toContain('sslmode=verify-full');
    expect(advised(refused + tls)).not.toContain('sslmode');
  },
);

test.each(['sslrootcert', 'sslcert', 'sslkey'])(
  'where %s names a file that is none, or a folder, the file is to be checked',
  (name) => {
    for (const path of ['/none/authority.pem', '/']) {
      const connect = () =>
        new Connection({ connectionString: `postgresql://host/db?${name}=${path}` });
      expect(advised(connect)).toMatch(/^Check the file .* sslrootcert/);
    }
    const socket = Object.assign(new Error('no'), { code: 'ENOENT', syscall: 'connect' });
    expect(databaseAdvice(socket)).toContain('that the server runs');
  },
);

function advised(connect: () => unknown): string {
  try {
    connect();
  } catch (error) {
    return databaseAdvice(error);
  }
  return '';
}

test.each(['require', 'prefer', 'verify-ca', 'verify-full'])(
  'sslmode=%s has the certificate checked, and no warning of the driver',
  (mode) => {
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const connectionString = `postgresql://host/db?a=b&sslmode=${mode}&c=d`;
    const { ssl, database } = new Connection({ connectionString });
    expect({ ssl, database }).toEqual({ ssl: {}, database: 'db' });
    expect(warned).not.toHaveBeenCalled();
  },
);

test('an sslmode that the driver does not warn of is left as it is', () => {
  const sslOf = (query: string) =>
    new Connection({ connectionString: `postgresql://host/db?${query}` }).ssl;
  expect(sslOf('sslmode=disable')).toBe(false);
  expect(sslOf('sslmode=no-verify')).toEqual({ rejectUnauthorized: false });
  expect(sslOf('uselibpqcompat=true&sslmode=require')).toEqual({ rejectUnauthorized: false });
});

const told = (code: string) =>
  new Error(`Raw query failed. Code: \`${code}\`. Message: \`prepared statement "s" …\``);

test.each<[string, Error]>([
  ['the driver', Object.assign(new DatabaseError('no', 2, 'error'), { code: '26000' })],
  ['Prisma', told('42P05')],
])('a pooler that nobody has named is advised on in the log of %s', (_, err) => {
  const written: string[] = [];
  const log = createLog('info', { write: (line) => written.push(line) });
  log.error({ err }, 'request');
  log.error({ err: told('55000') }, 'request');
  const [first, second] = written.map((line) => JSON.parse(line).err);
  expect(first.advice).toMatch('?pgbouncer=true');
  expect(second).not.toHaveProperty('advice');
});
