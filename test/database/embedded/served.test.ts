import { openTemporary, type TemporaryDatabase } from '../../../src/database/embedded/open';
import { keptSnapshot } from '../../helpers/kept-snapshot';
import { describeMigrate } from '../migrate.cases';
import { query } from '../query';
import { describeWireServer } from './wire-server.cases';
import { describeWireStrangers } from './wire-strangers.cases';

// One file, because to create an embedded database takes longer than all of this.

let database: TemporaryDatabase;

beforeAll(async () => {
  database = await openTemporary({ maintenanceIntervalMs: 200, ...keptSnapshot() });
  await query(database.url, 'DROP SCHEMA public CASCADE; CREATE SCHEMA public');
}, 120_000);

afterAll(() => database.close());

describe('the wire server', () => describeWireServer(() => database.url));

describe('the wire server and strangers', () => describeWireStrangers(() => database.url));

describe('migrate, embedded', () => describeMigrate(() => database.url));
