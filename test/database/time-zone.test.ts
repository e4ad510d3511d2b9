import { types } from 'pg';
import { createApiKey, getApiKey } from '@/src/api-keys/api-keys';
import { commandLine } from '@/src/audit/actor';
import { database } from '@/src/database/client';
import { readOffsets, withOffsets } from '@/src/database/connections/offsets';
import { env } from '@/src/env';
import { createAccount, createTenant } from '../helpers/accounts';
import { withOwnDatabase } from '../helpers/own-database';
import { setForSessions } from './query';

const instant = new Date('2031-03-30T00:59:59.123Z');

describe('an instant among the arguments', () => {
  const type = (scalarType: 'datetime' | 'string', arity: 'scalar' | 'list' = 'scalar') => ({
    scalarType,
    dbType: 'TIMESTAMPTZ',
    arity,
  });

  test('is sent with its zone, and everything else as it was', () => {
    const query = {
      sql: '',
      args: [instant, instant.toISOString(), '2031', null, [instant]],
      argTypes: [
        type('datetime'),
        type('datetime'),
        type('string'),
        type('datetime'),
        type('datetime', 'list'),
      ],
    };
    const text = instant.toISOString();
    expect(withOffsets(query).args).toEqual([text, text, '2031', null, [text]]);
  });
});

describe('an instant in an answer', () => {
  const statement = readOffsets({
    text: '',
    types: { getTypeParser: () => (text: string) => `parsed ${text}` },
  });

  test.each([
    ['2031-03-30 00:59:59.123+00', '2031-03-30 00:59:59.123+00'],
    ['2031-03-30 06:29:59.123456+05:30', '2031-03-30 00:59:59.123+00'],
    ['2031-03-29 19:29:59-05:30', '2031-03-30 00:59:59.000+00'],
    ['infinity', 'infinity'],
  ])('%s is read as %s', (sent, read) => {
    const { getTypeParser } = (statement as { types: typeof types }).types;
    expect(getTypeParser(types.builtins.TIMESTAMPTZ, 'text')(sent)).toBe(`parsed ${read}`);
    expect(getTypeParser(types.builtins.TEXT, 'text')(sent)).toBe(`parsed ${sent}`);
  });
});

// All connections to the embedded database are one session, and that is in UTC; the sessions of a
// pooler keep the zone that they began with.
const server = process.env.TEST_DATABASE_URL;
const describeOnServer = server && !server.includes('pgbouncer=true') ? describe : describe.skip;

describeOnServer('a database in another time zone', () => {
  withOwnDatabase();

  beforeAll(() => setForSessions(env().DATABASE_URL ?? '', "timezone = 'Asia/Kolkata'"));

  test('no connection asks for another, for poolers refuse that', async () => {
    const [row] = await database().$queryRaw<object[]>`SELECT current_setting('TimeZone') AS zone`;
    expect(row).toEqual({ zone: 'Asia/Kolkata' });
  });

  test("a key's expiry is stored and read as it was given", async () => {
    const accountId = await createAccount();
    const input = { name: 'A key', scopes: ['read' as const], expires_at: instant };
    const { id } = await createApiKey(accountId, input, commandLine);
    expect((await getApiKey(accountId, id)).expires_at).toEqual(instant);
    const [row] = await database().$queryRaw<object[]>`
      SELECT to_char(expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS') AS text
      FROM api_keys WHERE id = ${id}::uuid`;
    expect(row).toEqual({ text: '2031-03-30 00:59:59.123' });
  });

  test.each([
    ['a minute from now', 60_000, 200],
    ['a minute ago', -60_000, 403],
  ])('a key that expires %s is answered accordingly', async (_when, inMs, status) => {
    const { accountId, api } = await createTenant();
    await database().apiKey.updateMany({
      where: { userId: accountId },
      data: { expiresAt: new Date(Date.now() + inMs) },
    });
    expect((await api.get('/testimonials')).status).toBe(status);
  });

  test('instants pass through Prisma unchanged, in rows, raw statements and transactions', async () => {
    const id = await createAccount();
    const other = new Date(instant.getTime() + 1);
    await database().user.update({ where: { id }, data: { createdAt: instant, updatedAt: other } });
    const read = () => database().user.findFirst({ where: { id, createdAt: instant } });
    expect(await read()).toMatchObject({ createdAt: instant, updatedAt: other });
    await database().$transaction(async (tx) => {
      const rows = await tx.$queryRaw<{ created_at: Date }[]>`
        SELECT created_at FROM users WHERE id = ${id}::uuid AND created_at = ${instant}::timestamptz`;
      expect(rows).toEqual([{ created_at: instant }]);
    });
  });

  test('events and resources tell instants in UTC', async () => {
    const tenant = await createTenant();
    const space = await tenant.space();
    const { created_at } = await tenant.testimonial(space.id);
    expect(Math.abs(Date.parse(created_at) - Date.now())).toBeLessThan(600_000);
    expect(created_at).toMatch(/\+00:00$/);
  });
});
