import { randomUUID } from 'node:crypto';
import type { Scope } from '@/src/api/scopes';
import { createApiKey } from '@/src/api-keys/api-keys';
import { commandLine } from '@/src/audit/actor';
import { database } from '@/src/database/client';
import { space } from '@/src/spaces/schema';
import { testimonial } from '@/src/testimonials/schema';
import { type Answer, client } from './client';

/** A new account with nothing in it. Returns its id. */
export async function createAccount(): Promise<string> {
  const id = randomUUID();
  await database().user.create({
    data: { id, name: 'Test', email: `${id}@example.com`, plan: 'paid' },
  });
  return id;
}

/** A key of the account. Returns the key itself. */
export async function createKey(
  accountId: string,
  scopes: Scope[] = ['read', 'write', 'delete'],
): Promise<string> {
  const { key } = await createApiKey(accountId, { name: 'Test', scopes }, commandLine);
  return key;
}

/** A new account, a key with every scope, and the API as that key sees it. */
export async function createTenant() {
  const accountId = await createAccount();
  const api = client(await createKey(accountId));
  return {
    accountId,
    api,
    /** Creates a space and returns it. */
    async space(fields: Record<string, unknown> = {}) {
      return space.parse(created(await api.post('/spaces', { name: 'A space', ...fields })));
    },
    /** Creates a testimonial in the space and returns it. */
    async testimonial(spaceId: string, fields: Record<string, unknown> = {}) {
      const body = { ...minimalTestimonial(spaceId), ...fields };
      return testimonial.parse(created(await api.post('/testimonials', body)));
    },
    /** The account's events about testimonials, or also about spaces, oldest first. */
    events(about: 'testimonials' | 'everything' = 'testimonials') {
      return database().webhookEvent.findMany({
        where: {
          userId: accountId,
          ...(about === 'testimonials' && { type: { startsWith: 'testimonial.' } }),
        },
        orderBy: [{ createdAt: 'asc' }, { position: 'asc' }],
      });
    },
  };
}

export type Tenant = Awaited<ReturnType<typeof createTenant>>;

/** The body of a create request with nothing but what is required. */
export function minimalTestimonial(spaceId: string) {
  return {
    space_id: spaceId,
    type: 'text',
    submitter_name: 'Ada Park',
    submitter_email: 'ada@example.com',
  };
}

function created(answer: Answer): unknown {
  if (answer.status !== 201) throw new Error(`Expected 201, got ${answer.status}: ${answer.text}`);
  return answer.body.data;
}
