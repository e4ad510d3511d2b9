import { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { Pool } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { message, startup } from './frontend-messages';
import { connectClient, drop, servedUrl, talk, withServed } from './wire-clients';

/** What any client may expect of the served database whose address `getUrl` gives. */
export function describeWireServer(getUrl: () => string): void {
  withServed(getUrl);

  describe('statements', () => {
    test('parameters and results keep their types, without a named statement', async () => {
      const client = await connectClient();
      const { rows } = await client.query(
        'SELECT $1::int AS i, $2::text AS t, $3::timestamptz AS at, $4::text[] AS list, $5::text AS n',
        [7, "O'Hara é 😀", new Date('2024-02-29T12:00:00.123Z'), ['a', 'b'], null],
      );
      expect(rows).toEqual([
        {
          i: 7,
          t: "O'Hara é 😀",
          at: new Date('2024-02-29T12:00:00.123Z'),
          list: ['a', 'b'],
          n: null,
        },
      ]);
    });

    test('a simple query of several statements is one transaction', async () => {
      const client = await connectClient();
      await expect(
        client.query('CREATE TABLE multi (a int); INSERT INTO multi VALUES (1); SELECT 1 / 0'),
      ).rejects.toMatchObject({ code: '22012' });
      expect((await client.query(`SELECT to_regclass('multi') AS name`)).rows).toEqual([
        { name: null },
      ]);
    });

    test('several megabytes go in and come out', async () => {
      const client = await connectClient();
      const text = 'x'.repeat(5_000_000);
      const { rows } = await client.query(
        'SELECT length($1::text) AS length, $1::text AS echo, repeat(md5(n::text), 5) AS filler ' +
          'FROM generate_series(1, 3) AS n',
        [text],
      );
      expect(rows).toHaveLength(3);
      expect(rows.map((row) => row.length)).toEqual(Array(3).fill(text.length));
      expect(rows.every((row) => row.echo === text)).toBe(true);
    });

    test('an error leaves the connection usable, whatever the protocol', async () => {
      const client = await connectClient();
      await expect(client.query('SELECT $1::int', ['no number'])).rejects.toMatchObject({
        code: '22P02',
      });
      await expect(client.query('SELEC 1')).rejects.toMatchObject({ code: '42601' });
      await expect(client.query('SELECT $1::int / 0', [1])).rejects.toMatchObject({
        code: '22012',
      });
      expect((await client.query('SELECT $1::int AS one', [1])).rows).toEqual([{ one: 1 }]);
    });

    test('messages after an error are skipped until Sync', async () => {
      const client = await connectClient();
      await client.query('CREATE TABLE skipped (a int)');
      const run = (sql: string) => [
        message('P', '', sql, 0),
        message('B', '', '', 0, 0, 0),
        message('E', '', 0, 0),
      ];
      const answer = await talk(
        startup(),
        message('p', new URL(servedUrl()).password),
        ...run('SELECT 1 / 0'),
        ...run('INSERT INTO skipped VALUES (1)'),
        message('S'),
        message('X'),
      );
      expect(answer).toContain('C22012');
      expect(answer).not.toContain('INSERT 0 1');
      expect((await client.query('SELECT count(*)::int AS n FROM skipped')).rows).toEqual([
        { n: 0 },
      ]);
    });

    test.each([
      ['runs as it was prepared, and again', [], /SELECT 2.*SELECT 2/s],
      ['is gone with a simple query', [message('Q', 'SELECT 1')], /C26000.*C26000/s],
      ['is gone once it is closed', [message('C', 'S'), message('S')], /C26000.*C26000/s],
      ['is another once that is prepared', parse('VALUES (7)'), /SELECT 1.*SELECT 1/s],
    ])(
      'a statement without a name %s, though others share the session',
      async (_, between, answers) => {
        const run = [message('B', '', '', 0, 0, 0), message('E', '', 0, 0), message('S')];
        const answer = await talk(
          startup(),
          message('p', new URL(servedUrl()).password),
          ...parse('VALUES (5), (6)'),
          ...between,
          ...run,
          ...run,
          message('X'),
        );
        expect(answer).toMatch(answers);
        expect(answer).not.toContain('RESET');
      },
    );

    test('COPY takes the rows of a client, as many as it sends, and tells what is wrong with them', async () => {
      const client = await connectClient();
      await client.query('CREATE TABLE taken (a int PRIMARY KEY, b text)');
      const send = async (rows: string[], statement = 'COPY taken (a, b) FROM STDIN') =>
        pipeline(Readable.from(rows), client.query(copyFrom(statement)));
      const rows = Array.from({ length: 5000 }, (_, n) => `${n}\t${'x'.repeat(500)}\n`);
      await send([...rows.slice(0, 2000), rows.slice(2000).join('')]);
      await expect(send(['1\tonce more\n'])).rejects.toMatchObject({ code: '23505' });
      await expect(send(['no number\tx\n'])).rejects.toMatchObject({ code: '22P02' });
      await expect(send(['1\tx\n'], 'COPY nowhere FROM STDIN')).rejects.toMatchObject({
        code: '42P01',
      });
      await send([], 'copy "taken" from stdin with (format text);');
      expect((await client.query('SELECT count(*)::int AS n FROM taken')).rows).toEqual([
        { n: 5000 },
      ]);
    });

    test('who is slow to send the rows of a COPY keeps nobody else waiting', async () => {
      const [slow, other] = [await connectClient(), await connectClient()];
      await slow.query('CREATE TABLE slowly (a int)');
      const copying = slow.query(copyFrom('COPY slowly FROM STDIN'));
      await new Promise((sent) => copying.write('1\n', sent));
      expect((await other.query('SELECT count(*)::int AS n FROM slowly')).rows).toEqual([{ n: 0 }]);
      copying.end('2\n');
      await finished(copying);
      expect((await other.query('SELECT count(*)::int AS n FROM slowly')).rows).toEqual([{ n: 2 }]);
    });

    test('a COPY FROM STDIN without rows is refused and does not take the database down', async () => {
      const client = await connectClient();
      await client.query('CREATE TABLE copied (a int)');
      await expect(client.query('COPY copied FROM STDIN')).rejects.toThrow('COPY');
      await expect(client.query({ text: 'COPY copied FROM STDIN', values: [] })).rejects.toThrow(
        'COPY',
      );
      expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    });

    test('the session is in UTC and the clock counts microseconds', async () => {
      const client = await connectClient();
      const { rows } = await client.query(
        `SELECT current_setting('TimeZone') AS zone,
                (SELECT count(DISTINCT clock_timestamp())::int FROM generate_series(1, 200)) AS instants,
                abs(extract(epoch FROM clock_timestamp()) - $1) < 5 AS right_time`,
        [Date.now() / 1000],
      );
      expect(rows).toMatchObject([{ zone: 'UTC', right_time: true }]);
      // A clock of milliseconds would give two or three.
      expect(rows[0].instants).toBeGreaterThan(20);
    });

    test('pg_trgm can be installed', async () => {
      const client = await connectClient();
      await client.query('CREATE EXTENSION IF NOT EXISTS pg_trgm');
      expect((await client.query(`SELECT similarity('word', 'word') AS s`)).rows).toEqual([
        { s: 1 },
      ]);
    });
  });

  describe('several connections', () => {
    test('transactions do not mix, whoever sends in between', async () => {
      const pool = new Pool({ connectionString: servedUrl(), max: 8 });
      await pool.query('CREATE TABLE counters (id int PRIMARY KEY, n int NOT NULL)');
      await pool.query('INSERT INTO counters SELECT g, 0 FROM generate_series(1, 8) AS g');
      const add = async (id: number, outcome: 'COMMIT' | 'ROLLBACK') => {
        const client = await pool.connect();
        try {
          await client.query('BEGIN');
          const { rows } = await client.query('SELECT id, n FROM counters WHERE id = $1', [id]);
          expect(rows).toEqual([{ id, n: expect.any(Number) }]);
          await client.query('UPDATE counters SET n = $2 WHERE id = $1', [id, rows[0].n + 1]);
          await client.query(outcome);
        } finally {
          client.release();
        }
      };
      const read = async (value: number) => {
        const { rows } = await pool.query('SELECT $1::int AS value', [value]);
        expect(rows).toEqual([{ value }]);
      };
      await Promise.all(
        Array.from({ length: 160 }, (_, i) => [
          add((i % 8) + 1, i % 2 ? 'COMMIT' : 'ROLLBACK'),
          read(i),
        ]).flat(),
      );
      // Each odd i commits, so the counters with an even id have 20 each; none was lost to another.
      const { rows } = await pool.query('SELECT id, n FROM counters ORDER BY id');
      expect(rows.map(({ n }) => n)).toEqual([0, 20, 0, 20, 0, 20, 0, 20]);
      await pool.end();
    });

    test('others wait until a transaction ends', async () => {
      const [first, second] = [await connectClient(), await connectClient()];
      await first.query('CREATE TABLE waiting (a int)');
      const order: string[] = [];
      await first.query('BEGIN');
      const other = second.query('SELECT count(*)::int AS n FROM waiting').then(({ rows }) => {
        order.push('other');
        return rows;
      });
      await first.query('INSERT INTO waiting VALUES (1)');
      order.push('insert');
      await first.query('COMMIT');
      expect(await other).toEqual([{ n: 1 }]);
      expect(order).toEqual(['insert', 'other']);
    });

    test.each([
      ['open', 'SELECT 1'],
      ['failed', 'SELECT 1 / 0'],
    ])('a connection lost in an %s transaction is rolled back', async (_state, last) => {
      const [first, second] = [await connectClient(), await connectClient()];
      await second.query('CREATE TABLE IF NOT EXISTS lost (a int)');
      await first.query('BEGIN');
      await first.query('INSERT INTO lost VALUES (1)');
      await first.query(last).catch(() => undefined);
      const counted = second.query('SELECT count(*)::int AS n FROM lost');
      await drop(first);
      expect((await counted).rows).toEqual([{ n: 0 }]);
    });

    test('a connection lost while it waits is forgotten', async () => {
      const [first, second, third] = [
        await connectClient(),
        await connectClient(),
        await connectClient(),
      ];
      await first.query('CREATE TABLE forgotten (a int)');
      await first.query('BEGIN');
      second.query('INSERT INTO forgotten VALUES (1)').catch(() => undefined);
      const counted = third.query('SELECT count(*)::int AS n FROM forgotten');
      await drop(second);
      await first.query('COMMIT');
      expect((await counted).rows).toEqual([{ n: expect.any(Number) }]);
    });
  });

  test('dead rows are vacuumed and the write-ahead log is cut in the background', async () => {
    const client = await connectClient();
    await client.query('CREATE TABLE busy (a int, filler text)');
    await client.query(
      `INSERT INTO busy SELECT g, repeat('x', 200) FROM generate_series(1, 10000) AS g`,
    );
    await client.query('UPDATE busy SET a = a + 1');
    const isMaintained = async () => {
      const { rows } = await client.query(
        `SELECT last_vacuum IS NOT NULL AND last_analyze IS NOT NULL
                AND pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn) < 1024 * 1024 AS done
         FROM pg_stat_user_tables, pg_control_checkpoint() WHERE relname = 'busy'`,
      );
      return rows[0].done;
    };
    while (!(await isMaintained())) {}
  });
}

/** Prepares the statement without a name, and no more. */
function parse(sql: string): Buffer[] {
  return [message('P', '', sql, 0), message('S')];
}
