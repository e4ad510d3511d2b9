import { randomUUID } from 'node:crypto';
import { database } from '@/src/database/client';
import { Prisma } from '@/src/database/generated/client';
import { storeUpload } from '@/src/storage/upload';
import { createKey } from '../helpers/accounts';
import { client, send } from '../helpers/client';
import { drainAt } from '../helpers/drain';
import { dayMs, hourMs, later } from '../helpers/durations';
import { askAuth, callTrpc, password, signUp } from '../helpers/session';
import { tablesOfAccounts } from '../helpers/tables-of-accounts';
import { insertRows } from '../requests/log';
import { samples, upload } from '../storage/files';
import { openReceiver } from '../webhooks/receiver';

/** Somebody with something in every table; their files are in the folder. */
export async function createPerson(folder: string) {
  const person = await signUp();
  const { accountId, cookie } = person;
  const api = client(await createKey(accountId));
  const receiver = await openReceiver();
  const endpoint = { url: receiver.url, event_types: ['testimonial.created'] };
  await callTrpc('mutation', 'webhooks.endpoints.create', endpoint, { cookie });
  const logo = await storeUpload(accountId, 'logo', new Blob([samples.png]).stream());
  const { body } = await api.post('/spaces', { name: 'A space', logo_url: logo.url });
  const video = await upload(folder, accountId, 'video');
  await storeUpload(accountId, 'avatar', new Blob([samples.png]).stream());
  const testimonial = {
    space_id: body.data.id,
    type: 'text',
    submitter_name: 'Ada',
    submitter_email: 'ada@example.com',
    text_content: 'Good.',
  };
  await send('POST', '/testimonials', {
    key: api.key,
    headers: { 'idempotency-key': randomUUID() },
    json: { ...testimonial, video_url: video.url },
  });
  await drainAt(later());
  await api.post('/testimonials', testimonial);
  const expiresAt = later(hourMs);
  const link = {
    purpose: 'reset-password',
    email: person.email,
    requestedAt: new Date(),
    expiresAt,
  };
  await database().accountLink.create({
    data: { ...link, userId: accountId, digest: randomUUID() },
  });
  await database().mail.create({ data: { kind: 'test', userId: accountId, expiresAt } });
  await database().transcriptionJob.create({
    data: {
      testimonialId: randomUUID(),
      userId: accountId,
      nextAttemptAt: later(dayMs),
      textHash: 0,
    },
  });
  await insertRows(accountId, [{ receivedAt: new Date(), keyId: randomUUID() }]);
  return { ...person, api, receiver, spaceId: String(body.data.id), video, testimonial };
}

type Person = Awaited<ReturnType<typeof createPerson>>;

/** Asks, as that person, for the account to be deleted. */
export const askToClose = (person: Person, changes: Record<string, unknown> = {}) =>
  askAuth(
    '/delete-account',
    { email: person.email, password, ...changes },
    { cookie: person.cookie },
  );

export async function close(person: Person): Promise<void> {
  expect((await askToClose(person)).status).toBe(200);
}

/** More than one statement removes. */
export async function addTestimonials(
  { accountId, spaceId }: Pick<Person, 'accountId' | 'spaceId'>,
  count: number,
): Promise<void> {
  await database().$executeRaw`
    INSERT INTO testimonials (space_id, user_id, type, submitter_name, text_content)
    SELECT ${spaceId}::uuid, ${accountId}::uuid, 'text', 'Ada', 'Number ' || number
    FROM generate_series(1, ${count}::int) number`;
}

/** How many rows of an account each table has; tables without any are left out. */
export async function rowsOf(accountId: string): Promise<Record<string, number>> {
  const counts = (await tablesOfAccounts()).map(
    (name) => Prisma.sql`SELECT ${name} AS name, count(*)::int AS count
      FROM ${Prisma.raw(`"${name}"`)} WHERE user_id = ${accountId}::uuid`,
  );
  const rows = await database().$queryRaw<{ name: string; count: number }[]>`
    ${Prisma.join(counts, ' UNION ALL ')}
    UNION ALL SELECT 'users', count(*)::int FROM users WHERE id = ${accountId}::uuid
    UNION ALL SELECT 'webhook_deliveries', count(*)::int FROM webhook_deliveries d
      JOIN webhook_events e ON e.id = d.event_id WHERE e.user_id = ${accountId}::uuid
    UNION ALL SELECT 'webhook_attempts', count(*)::int FROM webhook_attempts a
      JOIN webhook_deliveries d ON d.id = a.delivery_id
      JOIN webhook_events e ON e.id = d.event_id WHERE e.user_id = ${accountId}::uuid`;
  return Object.fromEntries(rows.filter(({ count }) => count > 0).map((r) => [r.name, r.count]));
}
