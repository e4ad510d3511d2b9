import { DatabaseError } from 'pg';
import { databaseAdvice } from '@/src/database/advice';

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
