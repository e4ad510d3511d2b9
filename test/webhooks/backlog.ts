import { database } from '@/src/database/client';

/** Writes pending deliveries to an endpoint, as many, each of an event of its own, due since then. */
export async function addPending(
  endpointId: string,
  count: number,
  dueAt = new Date(Date.now() - 60_000),
): Promise<void> {
  await database().$executeRaw`
    WITH event AS (
      INSERT INTO webhook_events (user_id, type, resource_id, sequence, data)
      SELECT e.user_id, 'testimonial.created', gen_random_uuid(), 1, '{}'
      FROM webhook_endpoints e CROSS JOIN generate_series(1, ${count}::int)
      WHERE e.id = ${endpointId}::uuid RETURNING id
    )
    INSERT INTO webhook_deliveries (event_id, endpoint_id, next_attempt_at)
    SELECT id, ${endpointId}::uuid, ${dueAt} FROM event`;
}
