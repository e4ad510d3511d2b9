import { DatabaseError } from 'pg';
import { databaseAdvice } from '@/src/database/advice';
import { createLog } from '@/src/log';

test.each([
  ['28P01', 'Check user and password'],
  ['3D000', 'create that database'],
  ['25006', 'Name the primary'],
  ['42501', 'the owner of the database'],
  ['26000', 'Add ?pgbouncer=true'],
  ['42P05', 'Add ?pgbouncer=true'],
  ['53300', 'raise max_connections'],
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

test('a server without TLS, and one with nothing else, are told with what sslmode is to be', () => {
  const without = new Error('The server does not support SSL connections');
  expect(databaseAdvice(without)).toContain('Leave sslmode out');
  const refused = 'no pg_hba.conf entry for host "::1", user "u", database "d", no encryption';
  const alone = Object.assign(new DatabaseError(refused, 2, 'error'), { code: '28000' });
  expect(databaseAdvice(alone)).toContain('sslmode=verify-full');
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
