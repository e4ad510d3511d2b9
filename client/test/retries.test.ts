import { minimalTestimonial } from '@/test/helpers/accounts';
import { type Retry, TestimonialsError } from '../src/index.ts';
import {
  answer,
  breakOff,
  createClient,
  failure,
  loseAnswer,
  refuse,
  refuseConnection,
} from './client';

test('a create whose answer is lost is sent again under its key, and done once', async () => {
  const { api, tenant, sent, faults } = await createClient();
  const space = await tenant.space();
  faults.push(loseAnswer, refuseConnection);
  const { body, isReplayed, attempts } = await api
    .createTestimonial({ ...minimalTestimonial(space.id), type: 'text' })
    .withResponse();
  expect([isReplayed, attempts]).toEqual([true, 3]);
  expect(new Set(sent.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
  const { data } = await api.listTestimonials();
  expect(data).toEqual([body.data]);
  expect(await tenant.events()).toHaveLength(1);
});

test.each([
  ['the connection fails', refuseConnection],
  ['408', refuse(408, 'REQUEST_TIMEOUT')],
  ['429', refuse(429, 'RATE_LIMIT_EXCEEDED')],
  ['a key in use', refuse(409, 'IDEMPOTENCY_KEY_IN_USE')],
  ['500', refuse(500, 'INTERNAL_ERROR')],
  ['a gateway’s 502', answer(502, {}, '<html>')],
  ['503', refuse(503, 'OVERLOADED')],
])('where %s, it is tried again', async (_, fault) => {
  const { api, sent, faults } = await createClient();
  faults.push(fault);
  await api.createSpace({ name: 'A space' });
  expect(sent).toHaveLength(2);
});

test.each([
  ['400', refuse(400, 'VALIDATION_ERROR')],
  ['another 409', refuse(409, 'WEBHOOK_ENDPOINT_PAUSED')],
  ['410', refuse(410, 'CURSOR_EXPIRED')],
  ['413', refuse(413, 'QUOTA_EXCEEDED')],
  ['422', refuse(422, 'IDEMPOTENCY_KEY_REUSED')],
])('%s is final', async (_, fault) => {
  const { api, sent, faults } = await createClient();
  faults.push(fault);
  expect(await failure(api.createSpace({ name: 'A space' }))).toBeInstanceOf(TestimonialsError);
  expect(sent).toHaveLength(1);
});

test('waits double up to a bound, and are of any length below it', async () => {
  const chances = [1, 0.5, 0, 1, 1, 1, 1, 1];
  const { api, faults, waits } = await createClient({
    random: () => chances.shift() ?? 0,
    maxAttempts: 9,
    totalTimeoutMs: 600_000,
  });
  faults.push(...Array(8).fill(refuseConnection));
  await api.getMe();
  expect(waits).toEqual([500, 500, 0, 4000, 8000, 16_000, 20_000, 20_000]);
});

describe('what the service asks for is waited for first', () => {
  const date = 'Sat, 21 Nov 2026 12:00:00 GMT';
  const reset = (seconds: number) => ({
    'x-ratelimit-limit': '1000',
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': String(Date.parse(date) + seconds * 1000),
  });

  test.each([
    ['seconds', refuse(503, 'OVERLOADED', { 'retry-after': '7' }), 7500],
    [
      'a date',
      refuse(503, 'OVERLOADED', { date, 'retry-after': 'Sat, 21 Nov 2026 12:00:09 GMT' }),
      9500,
    ],
    [
      'a date that is past',
      refuse(503, 'OVERLOADED', { date, 'retry-after': 'Sat, 21 Nov 2026 11:00:00 GMT' }),
      500,
    ],
    ['seconds of something in between', answer(503, { 'retry-after': '7' }, '<html>'), 7500],
    ['seconds of an answer that breaks off', breakOff(429, { 'retry-after': '7' }), 7500],
    ['what is neither', refuse(503, 'OVERLOADED', { 'retry-after': 'soon' }), 500],
    [
      'a part of a second as a whole one',
      refuse(429, 'RATE_LIMIT_EXCEEDED', { date, ...reset(30.25) }),
      31_500,
    ],
    ['the reset of a limit', refuse(429, 'RATE_LIMIT_EXCEEDED', { date, ...reset(30) }), 30_500],
    ['no reset that is past', refuse(429, 'RATE_LIMIT_EXCEEDED', { date, ...reset(-30) }), 500],
    [
      'no reset that is past by our clock, where there is no date',
      refuse(429, 'RATE_LIMIT_EXCEEDED', { ...reset(0), 'x-ratelimit-reset': '1000' }),
      500,
    ],
    [
      'no reset of something in between that writes it as a date',
      answer(429, { ...reset(30), 'x-ratelimit-reset': new Date(0).toISOString() }, '<html>'),
      500,
    ],
    [
      'no reset where the limit is not the reason',
      refuse(500, 'INTERNAL_ERROR', { date, ...reset(30) }),
      500,
    ],
  ])('%s', async (_, fault, expected) => {
    const { api, faults, waits } = await createClient();
    faults.push(fault);
    await api.getMe();
    expect(waits).toEqual([expected]);
  });

  test('longer than the call may take, it is told at once', async () => {
    const { api, faults, waits } = await createClient();
    faults.push(refuse(429, 'RATE_LIMIT_EXCEEDED', { 'retry-after': '1800' }));
    expect(await failure(api.getMe())).toMatchObject({
      code: 'RATE_LIMIT_EXCEEDED',
      retryAfterSeconds: 1800,
    });
    expect(waits).toEqual([]);
  });
});

test('the cause of a failed connection is kept', async () => {
  const { api, faults } = await createClient({ maxAttempts: 1 });
  faults.push(refuseConnection);
  const error = await failure(api.getMe());
  expect(error).toMatchObject({ code: 'CONNECTION_FAILED', status: undefined });
  expect(error).toHaveProperty('cause', new TypeError('fetch failed'));
});

describe('a delete', () => {
  test('whose answer was lost is done when it is no longer found', async () => {
    const { api, tenant, faults } = await createClient();
    const { id } = await tenant.testimonial((await tenant.space()).id);
    faults.push(loseAnswer);
    const { body, response, attempts } = await api.deleteTestimonial({ id }).withResponse();
    expect([body, response.status, attempts]).toEqual([undefined, 404, 2]);
    expect((await api.listTestimonials()).data).toEqual([]);
  });

  test.each([
    ['was refused before', refuse(429, 'RATE_LIMIT_EXCEEDED')],
    ['was refused before, by an answer that broke off', breakOff(429, {})],
    ['was not found before, by an answer that broke off', breakOff(404, {})],
  ])('that %s says that there is nothing to delete', async (_, fault) => {
    const { api, faults } = await createClient();
    faults.push(fault);
    const id = '7f0c1a52-3c1e-4a86-9d0f-0a3d1c5b7e21';
    expect(await failure(api.deleteTestimonial({ id }))).toMatchObject({
      code: 'TESTIMONIAL_NOT_FOUND',
    });
  });

  test('whose success broke off is done when it is no longer found', async () => {
    const { api, faults } = await createClient();
    faults.push(breakOff(200, {}));
    const id = '7f0c1a52-3c1e-4a86-9d0f-0a3d1c5b7e21';
    expect(await api.deleteTestimonial({ id })).toBeUndefined();
  });

  test.each([
    ['500', refuse(500, 'INTERNAL_ERROR')],
    ['a gateway’s 504', answer(504, {}, '<html>')],
    ['408', refuse(408, 'REQUEST_TIMEOUT')],
  ])('that may have been done behind %s is done when it is no longer found', async (_, fault) => {
    const { api, tenant, faults } = await createClient();
    const { id } = await tenant.testimonial((await tenant.space()).id);
    faults.push(async (request, send) => {
      await (await send()).arrayBuffer();
      return (await fault(request, send)) ?? send();
    });
    expect(await api.deleteTestimonial({ id })).toBeUndefined();
  });

  test('whose answer was lost is done also where another attempt was refused after it', async () => {
    const { api, tenant, faults } = await createClient();
    const { id } = await tenant.testimonial((await tenant.space()).id);
    faults.push(loseAnswer, refuse(429, 'RATE_LIMIT_EXCEEDED'));
    const { body, attempts } = await api.deleteTestimonial({ id }).withResponse();
    expect([body, attempts]).toEqual([undefined, 3]);
  });

  test('that finds no such address was not done', async () => {
    const { api, faults } = await createClient();
    faults.push(refuseConnection, refuse(404, 'INVALID_ENDPOINT'));
    expect(await failure(api.deleteSpace({ id: 'x' }))).toMatchObject({ code: 'INVALID_ENDPOINT' });
  });
});

test('what is not found after a failure was not done, unless it was to be deleted', async () => {
  const { api, faults } = await createClient();
  faults.push(refuseConnection);
  const id = '7f0c1a52-3c1e-4a86-9d0f-0a3d1c5b7e21';
  expect(await failure(api.getTestimonial({ id }))).toMatchObject({
    code: 'TESTIMONIAL_NOT_FOUND',
  });
});

test('each wait is told', async () => {
  const retries: Retry[] = [];
  const { api, faults } = await createClient({ onRetry: (retry) => retries.push(retry) });
  faults.push(refuse(503, 'OVERLOADED', { 'retry-after': '1' }), refuseConnection);
  await api.listSpaces({ limit: 1 });
  expect(retries).toMatchObject([
    { method: 'GET', attempts: 1, delayMs: 1500, error: { code: 'OVERLOADED' } },
    { method: 'GET', attempts: 2, delayMs: 1000, error: { code: 'CONNECTION_FAILED' } },
  ]);
  expect(retries[0]?.url).toMatch(/\/api\/v1\/spaces\?limit=1$/);
});
