import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { database, disconnect } from '@/src/database/client';
import { provideEnv } from '@/src/env';
import { type Actors, aChange, createActors, make, ofService } from '../helpers/changes';
import { send } from '../helpers/client';
import { openTestDatabase, type TestDatabase } from '../helpers/test-database';
import { differences } from './kept-rows';
import { query } from './query';

// docs/partitions.sql, which a large service may run: it has a table that nobody else has, so the
// database is opened for this file, and not lent to others afterwards.
let own: TestDatabase | undefined;
/** Whose rows were there before. */
let before: Actors | undefined;

const numRuns = Number(process.env.COUNTS_FACTOR ?? 1);

beforeAll(async () => {
  own = await openTestDatabase(process.env.TEST_DATABASE_SNAPSHOT);
  provideEnv({ DATABASE_URL: own.url });
  before = await createActors(2);
  await query(own.url, readFileSync('docs/partitions.sql', 'utf8'));
});

afterAll(async () => {
  await disconnect();
  await own?.close();
});

test('with its rows in partitions by account, all that the service does goes on as before', async () => {
  expect(await differences()).toEqual([]);
  for (const { key } of before?.all ?? []) {
    const { status, body } = await send('GET', '/testimonials?sort_by=rating', { key });
    expect([status, body.pagination.total]).toEqual([200, 12]);
  }
  const changes = fc.array(aChange(ofService), { minLength: 20, maxLength: 40, size: 'max' });
  await fc.assert(
    fc.asyncProperty(changes, async (sequence) => {
      const actors = await createActors(3);
      for (const change of sequence) {
        const outcome = await make(actors, change);
        expect([change.kind, outcome, Number(outcome) < 500]).toEqual([change.kind, outcome, true]);
      }
      expect(await differences()).toEqual([]);
      const ids = actors.all.map(({ accountId }) => accountId);
      await database().user.deleteMany({ where: { id: { in: ids } } });
      expect(await differences()).toEqual([]);
    }),
    { numRuns, endOnFailure: true },
  );
});

test('and the triggers, indexes and foreign keys of the table are those that it had', async () => {
  const names = await database().$queryRaw<{ name: string }[]>`
    SELECT tgname AS name FROM pg_trigger
    WHERE tgrelid = 'testimonials'::regclass AND NOT tgisinternal
    UNION ALL SELECT indexrelid::regclass::text FROM pg_index
    WHERE indrelid = 'testimonials'::regclass
    UNION ALL SELECT conname FROM pg_constraint
    WHERE conrelid = 'testimonials'::regclass AND contype IN ('f', 'c')`;
  expect(names.map(({ name }) => name).sort()).toEqual([
    'testimonials_best_rated_idx',
    'testimonials_note_deleted',
    'testimonials_note_inserted',
    'testimonials_note_text',
    'testimonials_note_truncated',
    'testimonials_note_updated',
    'testimonials_pkey',
    'testimonials_rating_check',
    'testimonials_set_updated_at',
    'testimonials_space_id_created_at_id_idx',
    'testimonials_space_id_user_id_fkey',
    'testimonials_stored_avatar_idx',
    'testimonials_stored_thumbnail_idx',
    'testimonials_stored_video_idx',
    'testimonials_user_id_created_at_id_idx',
    'testimonials_user_id_external_id_key',
    'testimonials_user_id_rating_id_idx',
    'testimonials_user_id_shares_id_idx',
  ]);
});
