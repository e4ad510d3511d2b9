import { randomUUID } from 'node:crypto';
import { env } from '@/src/env';
import { setForSessions } from '../database/query';
import { createKey, createTenant } from '../helpers/accounts';
import { send } from '../helpers/client';
import { onServer } from '../helpers/locks';
import { withOwnDatabase } from '../helpers/own-database';

withOwnDatabase();

// The sessions of a pooler keep what they began with; for all others it holds from the first one on.
onServer('a key keeps its answer where the server takes backslashes for escapes', async () => {
  await setForSessions(env().DATABASE_URL ?? '', 'standard_conforming_strings = off');
  const { accountId, space, testimonial } = await createTenant();
  const { id } = await testimonial((await space()).id);
  const key = await createKey(accountId);
  const headers = { 'idempotency-key': randomUUID() };
  // The answer that is kept has backslashes of its own.
  const change = { key, headers, json: { submitter_role: 'a \\ "b" \\x41' } };
  const first = await send('PATCH', `/testimonials/${id}`, change);
  expect([first.status, first.body.data.submitter_role]).toEqual([200, change.json.submitter_role]);
  const again = await send('PATCH', `/testimonials/${id}`, change);
  expect([again.text, again.headers.get('idempotency-replayed')]).toEqual([first.text, 'true']);
  const other = { ...change, json: { submitter_role: 'B' } };
  expect((await send('PATCH', `/testimonials/${id}`, other)).status).toBe(422);
});
