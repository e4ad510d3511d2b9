import { openTemporary, type TemporaryDatabase } from '../../src/database/embedded';
import { describeMigrate } from './migrate.cases';
import { query } from './query';
import { describeWireServer } from './wire-server.cases';

// One file, because to create an embedded database takes longer than all of this.

let database: TemporaryDatabase;

beforeAll(async () => {
  database = await openTemporary({ maintenanceIntervalMs: 20 });
}, 20_000);

afterAll(() => database.close());

describe('the wire server', () => describeWireServer(() => database.url));

describe('migrate, embedded', () => describeMigrate(() => database.url));

test('a snapshot holds all rows', async () => {
  await query(database.url, 'CREATE TABLE kept AS SELECT 1 AS one');
  const copy = await openTemporary({ snapshot: await database.takeSnapshot() });
  try {
    expect(await query(copy.url, 'SELECT one FROM kept')).toEqual([{ one: 1 }]);
  } finally {
    await copy.close();
  }
});
