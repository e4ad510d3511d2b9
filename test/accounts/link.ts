import { randomUUID } from 'node:crypto';
import { digestOf } from '@/src/accounts/links';
import type { LinkPurpose } from '@/src/accounts/schema';
import { database } from '@/src/database/client';

/** A link that is good for an hour, sent to an address that nobody else has. Returns what it carries. */
export async function openedLink(userId: string, purpose: LinkPurpose): Promise<string> {
  const token = randomUUID();
  const requestedAt = new Date();
  await database().accountLink.create({
    data: {
      userId,
      purpose,
      digest: digestOf(token),
      email: `${token}@example.com`,
      requestedAt,
      expiresAt: new Date(requestedAt.getTime() + 3_600_000),
    },
  });
  return token;
}
