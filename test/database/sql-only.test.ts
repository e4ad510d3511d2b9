import { database } from '@/src/database/client';

test('what stands only in SQL exists: the triggers', async () => {
  const triggers = await database().$queryRaw<{ name: string }[]>`
    SELECT tgname AS name FROM pg_trigger WHERE NOT tgisinternal ORDER BY tgname`;
  expect(triggers.map(({ name }) => name)).toEqual([
    'idempotency_keys_note_deleted',
    'idempotency_keys_note_inserted',
    'idempotency_keys_note_renewed',
    'spaces_note_deleted',
    'spaces_note_inserted',
    'spaces_note_updated',
    'spaces_set_updated_at',
    'stored_files_note_deleted',
    'stored_files_note_inserted',
    'testimonials_note_deleted',
    'testimonials_note_inserted',
    'testimonials_note_text',
    'testimonials_note_truncated',
    'testimonials_note_updated',
    'testimonials_set_updated_at',
    'users_follow_live_user',
    'users_remove_idempotency_keys',
    'users_remove_request_log',
    'webhook_events_note_removed',
  ]);
});

test('what stands only in SQL exists: the partial indexes of the delivery queue', async () => {
  const indexes = await database().$queryRaw<{ name: string; condition: string }[]>`
    SELECT relname AS name, pg_get_expr(indpred, indrelid) AS condition
    FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
    WHERE indpred IS NOT NULL AND indrelid = 'webhook_deliveries'::regclass ORDER BY relname`;
  const waiting = "((state = 'pending'::delivery_state) AND (lease_token IS NULL))";
  expect(indexes).toEqual([
    { name: 'webhook_deliveries_due_idx', condition: waiting },
    { name: 'webhook_deliveries_endpoint_due_idx', condition: waiting },
    { name: 'webhook_deliveries_leased_idx', condition: '(lease_token IS NOT NULL)' },
  ]);
});

test('what stands only in SQL exists: the partial index of closed accounts', async () => {
  const indexes = await database().$queryRaw<{ condition: string }[]>`
    SELECT pg_get_expr(indpred, indrelid) AS condition FROM pg_index
    WHERE indpred IS NOT NULL AND indrelid = 'users'::regclass`;
  expect(indexes).toEqual([{ condition: '(closed_at IS NOT NULL)' }]);
});

test('what stands only in SQL exists: the partial unique index of external ids', async () => {
  const indexes = await database().$queryRaw<{ definition: string }[]>`
    SELECT pg_get_indexdef('testimonials_user_id_external_id_key'::regclass) AS definition`;
  expect(indexes[0]?.definition).toMatch(
    /^CREATE UNIQUE INDEX .* WHERE \(external_id IS NOT NULL\)$/,
  );
});

test('what stands only in SQL exists: the partial indexes of uploaded files', async () => {
  const indexes = await database().$queryRaw<{ name: string; definition: string }[]>`
    SELECT relname AS name, pg_get_indexdef(indexrelid) AS definition
    FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
    WHERE indpred IS NOT NULL AND relname ~ '_stored_|^stored_' ORDER BY relname`;
  const named = (column: string) =>
    `USING btree (user_id, "right"(${column}, 42)) ` +
    `WHERE (${column} ~ '/[0-9a-f-]{36}/[0-9a-f-]{36}[.][a-z0-9]{3,4}$'::text)`;
  expect(
    indexes.map(({ name, definition }) => [name, definition.replace(/^.*? USING/, 'USING')]),
  ).toEqual([
    ['spaces_stored_logo_idx', named('logo_url')],
    ['stored_files_unchecked_idx', 'USING btree (created_at) WHERE (checked_at IS NULL)'],
    ['testimonials_stored_avatar_idx', named('submitter_avatar_url')],
    ['testimonials_stored_thumbnail_idx', named('video_thumbnail_url')],
    ['testimonials_stored_video_idx', named('video_url')],
  ]);
});
