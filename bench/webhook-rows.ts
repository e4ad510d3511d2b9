import { randomUUID } from 'node:crypto';
import { database } from '../src/database/client';
import { eventTypes } from '../src/outbox/event-types';
import { seal } from '../src/secrets/seal';
import { generateSecret, sealOf } from '../src/webhooks/secret';

/** A new account with a space. */
export async function makeAccount(): Promise<{ accountId: string; spaceId: string }> {
  const [accountId, spaceId] = [randomUUID(), randomUUID()];
  await database().user.create({
    data: {
      id: accountId,
      name: 'Bench',
      email: `${accountId}@example.com`,
      spaces: { create: { id: spaceId, name: 'A space', slug: spaceId } },
    },
  });
  return { accountId, spaceId };
}

/** So many new accounts with an endpoint each. Returns the ids of the endpoints. */
export async function makeAccountsWithEndpoint(count: number, url: string): Promise<string[]> {
  const accountIds = Array.from({ length: count }, () => randomUUID());
  await database().user.createMany({
    data: accountIds.map((id) => ({ id, name: 'Bench', email: `${id}@example.com` })),
  });
  return insertEndpoints(accountIds, url);
}

/** Without the limit of an account, which does not matter here. Returns their ids. */
export function makeEndpoints(userId: string, count: number, url: string): Promise<string[]> {
  return insertEndpoints(Array(count).fill(userId), url);
}

async function insertEndpoints(userIds: string[], url: string): Promise<string[]> {
  const ids = userIds.map(() => randomUUID());
  await database().webhookEndpoint.createMany({
    data: ids.map((id, index) => ({
      id,
      userId: userIds[index] ?? '',
      url,
      eventTypes: [...eventTypes],
      encryptedSecret: seal(generateSecret(), sealOf(id)),
    })),
  });
  return ids;
}

export async function makeTestimonials(
  user_id: string,
  space_id: string,
  count: number,
): Promise<string[]> {
  const rows = await database().testimonial.createManyAndReturn({
    data: Array.from({ length: count }, () => ({
      space_id,
      user_id,
      type: 'text' as const,
      submitter_name: 'Ada Park',
      text_content: 'x'.repeat(500),
    })),
    select: { id: true },
  });
  return rows.map(({ id }) => id);
}

/** So many due deliveries to each endpoint, each of an event of its own. */
export async function addPending(endpointIds: string[], each: number): Promise<void> {
  await database().$executeRaw`
    WITH made AS MATERIALIZED (
      SELECT gen_random_uuid() AS event_id, e.id AS endpoint_id, e.user_id
      FROM webhook_endpoints e CROSS JOIN generate_series(1, ${each}::int)
      WHERE e.id = ANY (${endpointIds}::uuid[])
      ORDER BY random()
    ),
    event AS (
      INSERT INTO webhook_events (id, user_id, type, resource_id, sequence, data)
      SELECT event_id, user_id, 'testimonial.created', gen_random_uuid(), 1,
        json_build_object('text_content', repeat('x', 800))
      FROM made
    )
    INSERT INTO webhook_deliveries (event_id, endpoint_id) SELECT event_id, endpoint_id FROM made`;
}

export async function removeAll(): Promise<void> {
  await database().$executeRaw`TRUNCATE users CASCADE`;
}
