import { openTemporary, type TemporaryDatabase } from '../../../src/database/embedded/open';
import { describeMigrate } from '../migrate.cases';
import { describeWireServer } from './wire-server.cases';

// One file, because to create an embedded database takes longer than all of this.

let database: TemporaryDatabase;

beforeAll(async () => {
  database = await openTemporary({ maintenanceIntervalMs: 20 });
}, 120_000);

afterAll(() => database.close());

describe('the wire server', () => describeWireServer(() => database.url));

describe('migrate, embedded', () => describeMigrate(() => database.url));
