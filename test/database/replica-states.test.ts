import { createServer } from 'node:net';
import { inspect } from 'node:util';
import { Client, DatabaseError, type Pool } from 'pg';
import { LargeReadError } from '@/src/database/connections/large-reads';
import { openConnections } from '@/src/database/connections/pool';
import { Prisma } from '@/src/database/generated/client';
import { restMs, type Source } from '@/src/database/replicas/replica';
import { openReplicas, type Replicas } from '@/src/database/replicas/replicas';
import { provideEnv } from '@/src/env';
import { log } from '@/src/logging/log';
import { openFaultyPath } from '../helpers/faulty-path';
import { listen } from '../helpers/listening';
import { countWaiting, describeOnServer, untilWaiting } from '../helpers/locks';
import { borrowTestDatabase, type TestDatabase } from '../helpers/test-database';
import { openStandIn, type StandIn } from './stand-in';

const of = {
  accountId: '00000000-0000-0000-0000-000000000000',
  version: '00000000-0000-0000-0000-000000000000',
};

describeOnServer('a replica', () => {
  let own: TestDatabase;
  let copy: StandIn;
  let primary: Pool;
  let now: number;
  const opened: Replicas[] = [];

  beforeAll(async () => {
    own = await borrowTestDatabase();
    provideEnv({ DATABASE_URL: own.url });
    copy = await openStandIn(own.url);
    primary = openConnections(own.url, 2).pool;
  });

  beforeEach(() => {
    now = 0;
  });

  afterEach(async () => {
    for (const replicas of opened.splice(0)) await replicas.close();
  });

  afterAll(async () => {
    await primary?.end();
    await copy?.close();
    await own?.close();
  });

  function open(...urls: string[]) {
    const replicas = openReplicas(urls, { max: 2, primary: () => primary, now: () => now });
    opened.push(replicas);
    const ask = (run: (source: Source) => Promise<object[]> = async () => [{ id: 1 }]) =>
      replicas.read(Prisma.sql`SELECT 1`, of, (_, source) => run(source));
    /** It is connected to beside the reads, and left out for a while where that takes too long. */
    const untilAnswered = async () => {
      while ((await ask()) === undefined) {
        now += restMs;
        await new Promise(setImmediate);
      }
    };
    return { replicas, ask, untilAnswered };
  }

  /** The address of a server that may say nothing for so many seconds. */
  const patientFor = (seconds: number, address: string) => {
    const url = new URL(address);
    url.searchParams.set('socket_timeout', String(seconds));
    return url.href;
  };

  const failing = (error: Error) => () => Promise.reject(error);
  const databaseError = (code: string) =>
    Object.assign(new DatabaseError('no', 2, 'error'), { code });

  test.each([
    ['a conflict with what it catches up with', '40001'],
    ['a statement that was cancelled', '57014'],
    ['a value that it refuses', '22P05'],
    ['a limit', '54000'],
  ])('%s leaves it in use, and the primary answers', async (_, code) => {
    const { ask, untilAnswered } = open(copy.url);
    await untilAnswered();
    expect(await ask(failing(databaseError(code)))).toBeUndefined();
    expect(await ask()).toEqual([{ id: 1 }]);
  });

  test.each([
    ['that stops', databaseError('57P01')],
    ['that has no room for connections', databaseError('53300')],
    ['that lacks a table', databaseError('42P01')],
    ['whose connection is reset', Object.assign(new Error('reset'), { code: 'ECONNRESET' })],
    ['that talks nonsense', new Error('received invalid response: 48')],
  ])('one %s is left out, and asked again once it has rested', async (_, error) => {
    const { ask, untilAnswered } = open(copy.url);
    await untilAnswered();
    expect(await ask(failing(error))).toBeUndefined();
    now += restMs - 1;
    expect(await ask()).toBeUndefined();
    await new Promise(setImmediate);
    expect(await ask()).toBeUndefined();
    now += 1;
    await untilAnswered();
  });

  test('what is too large goes to whoever makes room, and not to the primary', async () => {
    const { ask, untilAnswered } = open(copy.url);
    await untilAnswered();
    await expect(ask(failing(new LargeReadError(1)))).rejects.toThrow(LargeReadError);
    expect(await ask()).toEqual([{ id: 1 }]);
  });

  test('as it fails, nobody waits for it any longer', async () => {
    const { ask, untilAnswered } = open(copy.url);
    await untilAnswered();
    const waiting = ask(() => new Promise(() => {}));
    await ask(failing(databaseError('57P01')));
    expect(await waiting).toBeUndefined();
  });

  test('what was under way as it was left out has nothing to say of it later', async () => {
    const { ask, untilAnswered } = open(copy.url);
    await untilAnswered();
    let fail = () => {};
    const late = ask(
      () =>
        new Promise((_, reject) => {
          fail = () => reject(databaseError('57P01'));
        }),
    );
    await ask(failing(databaseError('57P01')));
    expect(await late).toBeUndefined();
    now += restMs;
    await untilAnswered();
    fail();
    await new Promise(setImmediate);
    expect(await ask()).toEqual([{ id: 1 }]);
  });

  test('one that is left out keeps no connections, and has none before it has rested', async () => {
    const path = await openFaultyPath(copy.url);
    const { replicas, ask, untilAnswered } = open(path.url);
    await untilAnswered();
    const used: Pool[] = [];
    await ask(async ({ pool }) => {
      used.push(pool);
      throw databaseError('57P01');
    });
    expect(used.map(({ ending }) => ending)).toEqual([true]);
    const before = path.connections();
    now += restMs - 1;
    expect(await ask()).toBeUndefined();
    // Waits for a try that has begun.
    await replicas.close();
    expect(path.connections()).toBe(before);
    await path.close();
  });

  test('whoever asks while it is tried does not have it tried beside that', async () => {
    const path = await openFaultyPath(copy.url);
    const { replicas, ask } = open(path.url);
    expect(await Promise.all([ask(), ask(), ask()])).toEqual(Array(3).fill(undefined));
    await replicas.close();
    expect(path.connections()).toBe(1);
    await path.close();
  });

  test('why it is left out is told once, until it was in use again', async () => {
    const warned = jest.spyOn(log(), 'warn').mockImplementation(() => {});
    const away = open('postgresql://127.0.0.1:1/none');
    for (const _try of [1, 2, 3]) {
      await away.ask();
      await away.replicas.close();
      now += restMs;
    }
    const told = () =>
      warned.mock.calls.filter((said: unknown[]) => said[1] === 'replica left out');
    expect(told()).toHaveLength(1);
    // Nothing but what is meant is to fail, however slow the machine is.
    const { ask, untilAnswered } = open(patientFor(60, copy.url));
    for (const _time of [1, 2]) {
      await untilAnswered();
      await ask(failing(databaseError('57P01')));
    }
    expect(told()).toHaveLength(3);
    warned.mockRestore();
  });

  test('a heavy statement ends there before the connection does, which is replaced after five minutes', async () => {
    const { ask, untilAnswered } = open(patientFor(10, copy.url));
    await untilAnswered();
    const asked = await ask(async ({ pool, statementMs }) => [
      { statementMs, seconds: pool.options.maxLifetimeSeconds },
    ]);
    expect(asked).toEqual([{ statementMs: 8_000, seconds: 300 }]);
  });

  test('several are asked in turn, without those that are left out', async () => {
    const { ask } = open(copy.url, 'postgresql://127.0.0.1:1/none', copy.url);
    const asked = new Set<Pool>();
    const see = async ({ pool }: Source) => {
      asked.add(pool);
      return [{ id: 1 }];
    };
    while (asked.size < 2) {
      await ask(see);
      now += restMs;
      await new Promise(setImmediate);
    }
    const order: Pool[] = [];
    for (let turn = 0; turn < 4; turn += 1) {
      await ask(async ({ pool }) => {
        order.push(pool);
        return [{ id: 1 }];
      });
    }
    expect(new Set(order)).toEqual(asked);
    expect(order.slice(2)).toEqual(order.slice(0, 2));
  });

  test('it has no more connections than the primary may have', async () => {
    const path = await openFaultyPath(copy.url);
    const { ask, untilAnswered } = open(path.url);
    await untilAnswered();
    const before = path.connections();
    const run = async ({ pool }: Source) => (await pool.query('SELECT 1 AS id')).rows;
    await Promise.all(Array.from({ length: 20 }, () => ask(run)));
    expect(path.connections() - before).toBeLessThanOrEqual(1);
    await path.close();
  });

  test('one that has fallen silent is waited for once', async () => {
    const path = await openFaultyPath(copy.url);
    const { ask, untilAnswered } = open(patientFor(1, path.url));
    await untilAnswered();
    path.sever();
    const run = async ({ pool }: Source) => (await pool.query('SELECT 1 AS id')).rows;
    const answers = await Promise.all(Array.from({ length: 5 }, () => ask(run)));
    expect(answers).toEqual(Array(5).fill(undefined));
    const before = path.connections();
    expect(await ask(run)).toBeUndefined();
    expect(path.connections()).toBe(before);
    path.mend();
    await untilAnswered();
    await path.close();
  });

  test('of one that has fallen silent nobody asks why', async () => {
    const path = await openFaultyPath(copy.url);
    const { ask, untilAnswered } = open(patientFor(1, path.url));
    await untilAnswered();
    const before = path.connections();
    path.sever();
    const asked = ask(async ({ pool }) => (await pool.query('SELECT 1 AS id')).rows);
    expect(await asked).toBeUndefined();
    expect(path.connections()).toBe(before);
    await path.close();
  });

  test('one whose rows are locked is waited for once, and what it is tried with does not stay there', async () => {
    const { replicas, ask, untilAnswered } = open(patientFor(1, copy.url));
    const run = async ({ pool }: Source) =>
      (await pool.query('SELECT count(*) AS id FROM testimonials')).rows;
    await untilAnswered();
    const locker = new Client({ connectionString: copy.url });
    await locker.connect();
    const looker = new Client({ connectionString: copy.url });
    await looker.connect();
    try {
      await locker.query('BEGIN; LOCK TABLE testimonials IN ACCESS EXCLUSIVE MODE');
      expect(await ask(run)).toBeUndefined();
      expect(await countWaiting(looker)).toBe(1);
      now += restMs;
      expect(await ask(run)).toBeUndefined();
      await replicas.close();
      await untilWaiting(looker, 1);
    } finally {
      await locker.end();
      await looker.end();
    }
    now += restMs;
    await untilAnswered();
    expect(await ask(run)).toEqual([{ id: '0' }]);
  });

  test.each([
    ['the primary itself', async () => own.url, 'it is a primary, and no replica'],
    ['a server of something else', serveNonsense, ''],
    ['nobody', async () => 'postgresql://127.0.0.1:1/none', 'ECONNREFUSED'],
  ])('%s is never asked, and the log says why', async (_, address, reason) => {
    const { ask } = open(await address());
    const leftOut = new Promise<string>((resolve) => {
      jest.spyOn(log(), 'warn').mockImplementation((...said: unknown[]) => {
        if (said[1] === 'replica left out') resolve(inspect(said[0]));
      });
    });
    expect(await ask()).toBeUndefined();
    expect(await leftOut).toContain(reason);
    expect(await ask()).toBeUndefined();
  });
});

/** What answers every connection in another protocol. */
async function serveNonsense(): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {}).end('HTTP/1.1 400 Bad Request\r\n\r\n');
  });
  return `postgresql://127.0.0.1:${await listen(server.unref())}/none`;
}
