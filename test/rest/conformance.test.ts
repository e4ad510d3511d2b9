import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { bodyCap } from '@/src/api/body';
import { database } from '@/src/database/client';
import { countRequest } from '@/src/rate-limit/counter';
import { apiRequestLimit } from '@/src/rate-limit/limits';
import type { createSpaceInput } from '@/src/spaces/schema';
import type { createTestimonialInput } from '@/src/testimonials/schema';
import { createAccount, createKey, createTenant, minimalTestimonial } from '../helpers/accounts';
import type { SendOptions } from '../helpers/client';
import { sendDescribed } from './conformance';
import { neededScopes, operationCases } from './contract';

test.each(operationCases)('%s answers as the document says, with success', async (_, operation) => {
  const tenant = await createTenant();
  const key = await createKey(tenant.accountId);
  const { path, json } = await operation.prepare(tenant);
  const options = json === undefined ? { key } : { key, json };
  const { status } = await sendDescribed(operation.method, path, options);
  expect(status).toBe(operation.success);
});

test.each(operationCases)(
  '%s answers as the document says, with every error',
  async (_, operation) => {
    const { method, template } = operation;
    const path = template.replace('{id}', randomUUID());
    const takesBody = method === 'POST' || method === 'PATCH';
    const accountId = await createAccount();
    const key = await createKey(accountId);
    const body = (raw: string) => (takesBody ? { raw } : {});
    const codes: unknown[] = [];
    const attempt = async (target: string, options: SendOptions) => {
      const answer = await sendDescribed(method, target, options);
      codes.push(answer.body?.error.code ?? answer.status);
    };
    await attempt(path, {});
    await attempt(path, { key: 'junk' });
    const [needed] = neededScopes(operation);
    const others = (['read', 'write', 'delete'] as const).filter((other) => other !== needed);
    await attempt(path, { key: await createKey(accountId, others), ...body('{}') });
    const invalid = template.includes('{id}') ? '/no-uuid' : '?limit=0';
    await attempt(takesBody ? path : `${path.replace(/\/[^/]{36}$/, '')}${invalid}`, {
      key,
      ...body('[]'),
      // A list without parameters knows none that is wrong, but for this.
      headers: { Prefer: 'handling=strict' },
    });
    if (takesBody) await attempt(path, { key, ...body('{') });
    if (takesBody) await attempt(path, { key, raw: ' '.repeat(bodyCap(`/api/v1${path}`) + 1) });
    const keyData = (data: object) =>
      database().apiKey.updateMany({ where: { userId: accountId }, data });
    await keyData({ enabled: false });
    await attempt(path, { key });
    await keyData({ enabled: true, expiresAt: new Date(0) });
    await attempt(path, { key });
    await keyData({ expiresAt: null });
    for (let count = 0; count < apiRequestLimit().requests; count += 1)
      await countRequest(accountId);
    await attempt(path, { key });
    expect(codes).toEqual([
      'UNAUTHORIZED',
      'INVALID_API_KEY',
      'INSUFFICIENT_SCOPE',
      'VALIDATION_ERROR',
      ...(takesBody ? ['INTERNAL_ERROR', 'PAYLOAD_TOO_LARGE'] : []),
      'API_KEY_DISABLED',
      'API_KEY_EXPIRED',
      'RATE_LIMIT_EXCEEDED',
    ]);
  },
);

test.each(operationCases)(
  '%s answers as the document says about rows of another account',
  async (_, operation) => {
    const { path, json } = await operation.prepare(await createTenant());
    const key = await createKey(await createAccount());
    await sendDescribed(operation.method, path, json === undefined ? { key } : { key, json });
  },
);

test('rows that are missing, unknown paths and methods are answered as the document says', async () => {
  const key = await createKey(await createAccount());
  const id = randomUUID();
  const statuses = [
    await sendDescribed('GET', `/testimonials/${id}`, { key }),
    await sendDescribed('PATCH', `/testimonials/${id}`, { key, json: { rating: 1 } }),
    await sendDescribed('DELETE', `/testimonials/${id}`, { key }),
    await sendDescribed('POST', '/testimonials', { key, json: minimalTestimonial(id) }),
    await sendDescribed('GET', `/spaces/${id}`, { key }),
    await sendDescribed('PATCH', `/spaces/${id}`, { key, json: { name: 'A' } }),
    await sendDescribed('DELETE', `/spaces/${id}`, { key }),
    await sendDescribed('GET', '/nowhere', { key }),
    await sendDescribed('POST', '/testimonials/batch/other', { key }),
    await sendDescribed('PUT', '/spaces', { key }),
    await sendDescribed('HEAD', '/spaces', { key }),
  ].map(({ status }) => status);
  expect(statuses).toEqual([404, 404, 404, 404, 404, 404, 204, 404, 404, 405, 200]);
});

test('rows with every field set, and with every optional field null, are what the document says', async () => {
  const tenant = await createTenant();
  const key = await createKey(tenant.accountId);
  const wholeSpace: Required<z.input<typeof createSpaceInput>> = {
    name: 'A space',
    description: 'd',
    logo_url: 'https://example.com/logo.png',
    primary_color: '#00ff00',
    custom_questions: ['Why?', 'How?'],
  };
  const space = await tenant.space(wholeSpace);
  await tenant.space();
  await tenant.testimonial(space.id);
  const whole: Required<z.input<typeof createTestimonialInput>> = {
    space_id: space.id,
    type: 'text',
    submitter_name: 'Ada Park',
    submitter_email: 'ada@example.com',
    submitter_company: 'Northwind',
    submitter_role: 'Lead',
    submitter_avatar_url: 'https://example.com/a.png',
    text_content: 'Great',
    video_url: 'https://example.com/v.mp4',
    video_thumbnail_url: 'https://example.com/t.png',
    rating: 5,
    status: 'approved',
  };
  await tenant.testimonial(space.id, whole);
  await sendDescribed('GET', '/spaces', { key });
  await sendDescribed('GET', '/testimonials', { key });
});
