import { once } from 'node:events';
import { connect } from 'node:net';
import { Client } from 'pg';
import { int32, message, startup } from './frontend-messages';
import { connectClient, drop, forget, servedUrl, talk, withServed } from './wire-clients';

/** Who may come in to the served database, and what is left of whoever is not the service. */
export function describeWireStrangers(getUrl: () => string): void {
  withServed(getUrl);

  describe('foreign clients', () => {
    const searchPath = async (client: Client) => {
      const { rows } = await client.query(`SELECT current_setting('search_path') AS path`);
      return rows[0].path;
    };
    const hide = (client: Client) =>
      client.query(`SELECT set_config('search_path', '', false); SET TimeZone = 'Asia/Tokyo'`);

    test('what one sets holds for itself, and for nobody else while it is there', async () => {
      const [foreign, other] = [await connectClient(), await connectClient()];
      const usual = await searchPath(other);
      await hide(foreign);
      expect(await searchPath(other)).toBe(usual);
      expect(await searchPath(foreign)).toBe('');
      const { rows } = await other.query(`SELECT current_setting('TimeZone') AS zone`);
      expect(rows).toEqual([{ zone: 'UTC' }]);
      const { rows: own } = await foreign.query(`SELECT current_setting('TimeZone') AS zone`);
      expect(own).toEqual([{ zone: 'Asia/Tokyo' }]);
    });

    test("one may set what is a transaction's, which is over with it, as on a server", async () => {
      const [foreign, other] = [await connectClient(), await connectClient()];
      await foreign.query('SET transaction_read_only = on');
      await foreign.query('SET transaction_isolation = serializable');
      await foreign.query('SET transaction_deferrable = on');
      await foreign.query('CREATE TABLE after_settings (a int)');
      await other.query('INSERT INTO after_settings VALUES (1)');
    });

    test('one whose settings cannot be put back any more is ended, and nobody else', async () => {
      const [foreign, other] = [await connectClient(), await connectClient()];
      await foreign.query(`SET temp_buffers = '16MB'`);
      await other.query('CREATE TEMPORARY TABLE before_settings (a int)');
      await other.query('INSERT INTO before_settings VALUES (1)');
      await expect(foreign.query('SELECT 1')).rejects.toMatchObject({ code: '0A000' });
      forget(foreign);
      expect((await other.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    });

    test.each([
      ['goes on', 'SET SESSION AUTHORIZATION somebody', () => {}],
      ['goes on, by its role', 'SET ROLE somebody', () => {}],
      ['leaves within its transaction', 'BEGIN; SET SESSION AUTHORIZATION somebody', drop],
      [
        'is ended for what else it sets',
        `SET SESSION AUTHORIZATION somebody; SET client_encoding = 'LATIN1'`,
        forget,
      ],
    ])('nobody else is the user that one becomes which %s', async (_how, become, leave) => {
      const [foreign, other] = [await connectClient(), await connectClient()];
      const user = async () => (await other.query('SELECT current_user AS name')).rows[0].name;
      const usual = await user();
      await foreign.query('CREATE ROLE somebody');
      await foreign.query(become);
      await leave(foreign);
      expect(await user()).toBe(usual);
      await other.query('DROP ROLE somebody');
    });

    test('one that asks for another encoding is ended, and nobody else', async () => {
      const [foreign, other] = [await connectClient(), await connectClient()];
      const ended = once(foreign, 'error');
      await foreign.query(`SET client_encoding = 'LATIN1'`);
      expect(await ended).toMatchObject([{ code: '0A000' }]);
      forget(foreign);
      expect((await other.query(`SELECT 'é' AS e`)).rows).toEqual([{ e: 'é' }]);
    });

    test('nor does one wait for its end that takes nothing of what it is sent', async () => {
      const socket = connect(Number(new URL(servedUrl()).port), '127.0.0.1').pause();
      const large = message('Q', `SELECT repeat('x', 30000000)`);
      const another = message('Q', `SET client_encoding = 'LATIN1'`);
      socket.write(Buffer.concat([startup(), message('p', new URL(servedUrl()).password)]));
      socket.write(Buffer.concat([large, another]));
      const client = await connectClient();
      const encoding = `SELECT current_setting('client_encoding') AS name`;
      for (let asked = 0; asked < 20; asked++) {
        expect((await client.query(encoding)).rows).toEqual([{ name: 'UTF8' }]);
      }
      socket.destroy();
    });

    test.each([
      ['says goodbye', async (client: Client) => client.end()],
      ['is lost', drop],
      [
        'is lost in a transaction',
        async (client: Client) => {
          await client.query('BEGIN');
          await hide(client);
          await drop(client);
        },
      ],
    ])('nothing is left of one that %s', async (_how, leave) => {
      const [foreign, other] = [await connectClient(), await connectClient()];
      const usual = await searchPath(other);
      await foreign.query('CREATE TEMPORARY TABLE left_over (a int)');
      await foreign.query('PREPARE left_over AS SELECT 1');
      await hide(foreign);
      forget(foreign);
      await leave(foreign);
      expect(await searchPath(other)).toBe(usual);
      const remains = async () => {
        const { rows } = await other.query(
          `SELECT to_regclass('pg_temp.left_over') IS NOT NULL
             OR EXISTS (SELECT FROM pg_prepared_statements WHERE name = 'left_over') AS remains`,
        );
        return rows[0].remains;
      };
      while (await remains()) {}
    });

    test('one that leaves its transaction idle is ended, and the others go on', async () => {
      const [foreign, other] = [await connectClient(), await connectClient()];
      await other.query('CREATE TABLE idle (a int)');
      const ended = once(foreign, 'error');
      await foreign.query('BEGIN');
      await foreign.query('INSERT INTO idle VALUES (1)');
      const { rows } = await other.query('SELECT count(*)::int AS n FROM idle');
      expect(rows).toEqual([{ n: 0 }]);
      expect(await ended).toMatchObject([{ code: '25P03' }]);
      forget(foreign);
    });
  });

  describe('admission', () => {
    const refusal = (change: (address: URL) => void) => {
      const changed = new URL(servedUrl());
      change(changed);
      const client = new Client({ connectionString: changed.href });
      client.on('error', () => undefined);
      return client.connect();
    };

    test('a wrong password, user or database is refused', async () => {
      const wrongPassword = refusal((address) => {
        address.password = 'guess';
      });
      await expect(wrongPassword).rejects.toMatchObject({ code: '28P01' });
      const wrongUser = refusal((address) => {
        address.username = 'root';
      });
      await expect(wrongUser).rejects.toMatchObject({ code: '28000' });
      const wrongDatabase = refusal((address) => {
        address.pathname = '/template1';
      });
      await expect(wrongDatabase).rejects.toMatchObject({ code: '3D000' });
    });

    test('a query before the password is refused', async () => {
      expect(await talk(startup(), message('Q', 'SELECT 1'))).toContain('C28P01');
    });

    test('encryption is declined, and the client may go on without', async () => {
      const sslRequest = Buffer.concat([int32(8), int32(80_877_103)]);
      const answer = await talk(sslRequest, startup(), message('p', 'guess'));
      expect(answer).toMatch(/^NR.*C28P01/s);
    });

    test('who asks for encryption again and again is refused, and not answered without end', async () => {
      const sslRequest = Buffer.concat([int32(8), int32(80_877_103)]);
      const gssRequest = Buffer.concat([int32(8), int32(80_877_104)]);
      const both = await talk(gssRequest, sslRequest, startup(), message('p', 'guess'));
      expect(both).toMatch(/^NNR.*C28P01/s);
      expect(await talk(...Array(1_000).fill(sslRequest))).toMatch(/^NNE.*C08P01/s);
    });

    test.each([
      ['garbage', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
      ['a message type that does not exist', message('~')],
    ])('%s ends its own connection only', async (name, bytes) => {
      const greeting = [startup(), message('p', new URL(servedUrl()).password)];
      expect(await talk(...(name === 'garbage' ? [] : greeting), bytes)).toContain('C08P01');
      const client = await connectClient();
      expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    });

    test('a request to cancel is ignored', async () => {
      const cancel = Buffer.concat([int32(16), int32(80_877_102), int32(1), int32(0)]);
      expect(await talk(cancel)).toBe('');
    });
  });
}
