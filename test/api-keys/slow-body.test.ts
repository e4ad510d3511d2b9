import { setTimeout as sleep } from 'node:timers/promises';
import { deleteApiKey } from '@/src/api-keys/api-keys';
import { digestKey } from '@/src/api-keys/key';
import { commandLine } from '@/src/audit/actor';
import { database } from '@/src/database/client';
import { createKey, createTenant, minimalTestimonial } from '../helpers/accounts';
import { send } from '../helpers/client';

test.each([
  ['', {}],
  [' under an Idempotency-Key', { 'Idempotency-Key': 'slow' }],
])(
  'a write%s whose key is deleted while its body is on its way is refused, and nothing is written',
  async (_, sent) => {
    const tenant = await createTenant();
    const space = await tenant.space();
    const key = await createKey(tenant.accountId);
    const { id } = await database().apiKey.findFirstOrThrow({ where: { digest: digestKey(key) } });
    const bytes = Buffer.from(JSON.stringify(minimalTestimonial(space.id)));
    const raw = new ReadableStream({
      async start(controller) {
        controller.enqueue(bytes.subarray(0, 10));
        // Longer than a key that was looked up is known for.
        await sleep(500);
        await deleteApiKey(tenant.accountId, id, commandLine);
        controller.enqueue(bytes.subarray(10));
        controller.close();
      },
    });
    const headers = { 'Content-Type': 'application/json', ...sent };
    const { status, body } = await send('POST', '/testimonials', { key, headers, raw });
    expect([status, body.error.code]).toEqual([401, 'INVALID_API_KEY']);
    expect((await tenant.api.get('/testimonials')).body.pagination.total).toBe(0);
  },
);
