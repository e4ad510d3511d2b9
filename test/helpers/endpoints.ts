import { database } from '@/src/database/client';
import type { EventType } from '@/src/outbox/event-types';

/**
 * A webhook endpoint of the account, past the dashboard. Nothing listens at its address, and its
 * secret is none: only what is queued for it can be looked at. Returns its id.
 */
export async function createEndpoint(
  accountId: string,
  eventTypes: EventType[],
  { enabled = true } = {},
): Promise<string> {
  const { id } = await database().webhookEndpoint.create({
    data: {
      userId: accountId,
      url: 'https://127.0.0.1:9/',
      eventTypes,
      enabled,
      encryptedSecret: new Uint8Array(60),
    },
  });
  return id;
}
