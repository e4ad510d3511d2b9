import { database } from '@/src/database/client';
import { provideEnv } from '@/src/env';
import { closeReceivers } from '../webhooks/receiver';
import { borrowTestDatabase, type TestDatabase } from './test-database';

/**
 * Gives a test file a database of its own. Sending takes whatever is due, in whichever account: in
 * the database that all tests share, it would take what others wrote. Private addresses are
 * allowed, so that receivers can listen on the loopback interface.
 */
export function withOwnDatabase(): void {
  let own: TestDatabase | undefined;

  beforeAll(async () => {
    own = await borrowTestDatabase();
    provideEnv({ DATABASE_URL: own.url, ALLOW_PRIVATE_NETWORK: 'true' });
  });

  // What a test leaves unsent must not be sent by the next, whose clock may run ahead.
  afterEach(async () => {
    // Jest comes here after a failed start too: the database that all tests share is not to be emptied.
    if (own) {
      await database().user.deleteMany();
      await database().transcriptionJob.deleteMany();
    }
    await closeReceivers();
  });

  afterAll(() => own?.close());
}
