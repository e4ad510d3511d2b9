import { Client } from 'pg';
import { sayingWhoHolds } from '@/src/database/migrations/lock-holders';
import { env } from '@/src/env';
import { type FaultyPath, openFaultyPath } from '../helpers/faulty-path';
import { describeOnServer, untilSomebodyWaits } from '../helpers/locks';
import { until } from '../helpers/until';

/** Advisory locks of these tests. */
const [wanted, further] = [913_001, 913_002];

describeOnServer('who holds a lock that is waited for', () => {
  let clients: Client[];
  let path: FaultyPath;
  let said: string[];

  beforeEach(async () => {
    const url = env().DATABASE_URL ?? '';
    clients = Array.from({ length: 3 }, () => new Client({ connectionString: url }));
    await Promise.all(clients.map((client) => client.connect()));
    path = await openFaultyPath(url);
    said = [];
  });

  afterEach(async () => {
    await Promise.all(clients.map((client) => client.end()));
    await path.close();
  });

  /** The first waits for the second, which is at work as it waits for the third, which rests. */
  async function waitInLine(work: () => Promise<void>): Promise<void> {
    const [waiting, working, resting] = clients;
    if (!waiting || !working || !resting) throw new Error('There are three');
    await resting.query(`SELECT pg_advisory_lock(${further})`);
    await working.query(`SELECT pg_advisory_lock(${wanted})`);
    const done = working.query(
      `SELECT pg_advisory_lock(${further}), pg_advisory_unlock(${wanted})`,
    );
    await untilSomebodyWaits(resting);
    const say = (line: string) => void said.push(line);
    await sayingWhoHolds(waiting, { url: path.url, say, lookEveryMs: 10 }, async () => {
      const given = waiting.query(`SELECT pg_advisory_lock(${wanted})`);
      await work();
      await resting.query(`SELECT pg_advisory_unlock(${further})`);
      await Promise.all([done, given]);
    });
  }

  test('is told of once, and not as one to be ended while it is at work', async () => {
    await waitInLine(async () => {
      await until(() => said.length > 0);
      const looks = path.connections();
      await until(() => path.connections() >= looks + 10);
    });
    expect(said).toEqual([
      expect.stringMatching(
        /^Waiting for a lock that session \d+ holds \(.*, active, begun .*\)\.$/,
      ),
    ]);
  });

  test('is not told of where nobody can be asked, and what waits goes on', async () => {
    await waitInLine(async () => {
      const looks = path.connections();
      path.sever();
      await until(() => path.connections() >= looks + 2);
      path.cut();
    });
    expect(said).toEqual([]);
  });
});
