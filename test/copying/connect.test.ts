import { begin, connect, inTransaction } from '@/src/copying/connect';
import { query, withFullServer } from '../database/query';
import { onServer } from '../helpers/locks';
import { databasesOfTests, openEmpty } from './databases';

const open = databasesOfTests();

/** What a server may have been told, and what rows that are copied depend on. */
const settings = {
  TimeZone: ['America/St_Johns', 'UTC'],
  DateStyle: ['SQL, DMY', 'ISO, MDY'],
  IntervalStyle: ['sql_standard', 'postgres'],
  bytea_output: ['escape', 'hex'],
  extra_float_digits: ['-5', '1'],
  client_encoding: ['LATIN1', 'UTF8'],
  statement_timeout: ['90s', '0'],
  idle_in_transaction_session_timeout: ['90s', '0'],
  lock_timeout: ['90s', '30s'],
} as const;

onServer('a copy writes and waits in its own way, whatever the server was told', async () => {
  const url = await open(openEmpty);
  const [, name] = new URL(url).pathname.split('/');
  const told = Object.entries(settings).map(
    ([setting, [other]]) => `ALTER DATABASE ${name} SET ${setting} = '${other}'`,
  );
  await query(url, told.join(';'));
  const client = await connect(url);
  try {
    const read = async () => {
      const found: Record<string, unknown> = {};
      for (const setting of Object.keys(settings)) {
        const { rows } = await client.query(`SELECT current_setting('${setting}') AS value`);
        found[setting] = rows[0]?.value;
      }
      return found;
    };
    await begin(client);
    const own = Object.entries(settings).map(([setting, [, value]]) => [setting, value]);
    expect(await read()).toEqual(Object.fromEntries(own));
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
});

test('what fails in a transaction is undone and told, and the connection goes on', async () => {
  const client = await connect(await open(openEmpty));
  try {
    const failing = inTransaction(client, async () => {
      await client.query('CREATE TABLE left_behind (n int)');
      throw new Error('The plug was pulled');
    });
    await expect(failing).rejects.toThrow('The plug was pulled');
    const { rows } = await client.query(`SELECT to_regclass('left_behind') AS name`);
    expect(rows).toEqual([{ name: null }]);
  } finally {
    await client.end();
  }
});

onServer('a connection that is cut fails what is asked, and does not end the process', async () => {
  const client = await connect(await open(openEmpty));
  const ended = new Promise((done) => client.once('end', done));
  const cutting = client.query('SELECT pg_terminate_backend(pg_backend_pid())');
  await expect(cutting).rejects.toThrow('terminating connection');
  await ended;
});

test('a statement that takes an hour is waited for, as one that builds an index may', async () => {
  const client = await connect(await open(openEmpty));
  try {
    expect(client.connection.stream).toHaveProperty('timeout', 3_600_000);
  } finally {
    await client.end();
  }
});

test('of a database that is not there its address is told, without the password', async () => {
  const connecting = connect('postgresql://me:s3cret@127.0.0.1:1/none');
  await expect(connecting).rejects.toThrow(
    /^The database 127\.0\.0\.1:1\/none cannot be used: connect ECONNREFUSED \S+\. Check its address, that the/,
  );
  await expect(connecting).rejects.not.toThrow(/s3cret/);
});

onServer(
  'a server that is full says what to mend, and no setting that need not be meant',
  async () => {
    await withFullServer(await open(openEmpty), async (full) => {
      const connecting = connect(full);
      await expect(connecting).rejects.toThrow(
        /too many connections for .*\. Lower .*CONNECTION LIMIT/,
      );
      await expect(connecting).rejects.not.toThrow('DATABASE_URL');
    });
  },
);
