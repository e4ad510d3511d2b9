import { once } from 'node:events';
import { setImmediate as turnOfEventLoop } from 'node:timers/promises';
import { silenceOf } from '@/src/database/connections/address';
import { isConnectionLost } from '@/src/database/connections/connection';
import { openConnections } from '@/src/database/connections/pool';
import { env } from '@/src/env';
import { collectGarbage } from '../helpers/garbage';

const coded = (code: string) => Object.assign(new Error('as it is'), { code });
/** What Prisma makes of a failure of the driver. */
const adapted = (cause: unknown) => new Error('as Prisma says it', { cause });

test.each([
  ['the system noticed', coded('ECONNRESET')],
  ['nothing could be written', coded('EPIPE')],
  ['the server fell silent', coded('ETIMEDOUT')],
  ['the server stops', coded('57P01')],
  ['the server has crashed', coded('57P02')],
  ['the server is only starting', coded('57P03')],
  ['the server ends sessions that rest', coded('57P05')],
  ['the connection failed', coded('08006')],
  ['the driver says so', new Error('Connection terminated unexpectedly')],
  [
    'the driver has known for a while',
    new Error('Client has encountered a connection error and is not queryable'),
  ],
  ['Prisma has its code', adapted({ code: '57P01' })],
  ['Prisma calls it closed', adapted({ kind: 'ConnectionClosed' })],
  ['Prisma calls it silent', adapted({ kind: 'SocketTimeout' })],
])('a connection is lost where %s', (_, error) => {
  expect(isConnectionLost(error)).toBe(true);
});

test.each([
  ['a statement was called off', coded('57014')],
  ['two waited for each other', coded('40P01')],
  ['a row is there already', coded('23505')],
  ['an instant is out of range', coded('22008')],
  ['the database took no connection at all', coded('ECONNREFUSED')],
  ['a text only tells of one', new Error('Said: Connection terminated')],
  ['Prisma found no row', adapted({ kind: 'RecordNotFound' })],
  ['the cause is a text', adapted('ECONNRESET')],
  ['the cause is nothing', adapted(null)],
  ['no error was thrown', { code: 'ECONNRESET' }],
  ['nothing was thrown', undefined],
])('no connection is lost where %s', (_, error) => {
  expect(isConnectionLost(error)).toBe(false);
});

test.each([
  ['?socket_timeout=7', 7_000],
  ['?socket_timeout=0.5', 500],
  ['?socket_timeout=86400000', 2 ** 31 - 1],
  ['?socket_timeout=0', 5_000],
  ['?socket_timeout=-1', 5_000],
  ['?socket_timeout=soon', 5_000],
  ['', 5_000],
])('at an address that ends in “%s” a server may say nothing for %d ms', (query, ms) => {
  expect(silenceOf(`postgresql://host/name${query}`, 5_000)).toBe(ms);
});

test('of connections that are gone the pool keeps nothing', async () => {
  const { pool } = openConnections(env().DATABASE_URL ?? '', 1);
  const gone: WeakRef<object>[] = [];
  const lose = async () => {
    const client = await pool.connect();
    gone.push(new WeakRef(client));
    const removed = once(pool, 'remove');
    client.release(true);
    await removed;
  };
  for (let count = 0; count < 10; count += 1) await lose();
  // Each stays until the end of the turn in which somebody has looked at it.
  await turnOfEventLoop();
  collectGarbage();
  const held = gone.filter((client) => client.deref());
  expect(held.length).toBeLessThan(5);
  await pool.end();
});
