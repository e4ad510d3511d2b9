import { database } from '@/src/database/client';
import { drainAt } from '../helpers/drain';
import { withOwnDatabase } from '../helpers/own-database';
import { answerWith } from './receiver';
import { newSending } from './sending';

withOwnDatabase();

test('the first 16 KiB of an answer are kept', async () => {
  const { write, deliveries, webhooks } = await newSending((response) =>
    answerWith(response, 200, {}, 'a'.repeat(100_000)),
  );
  await write();
  await drainAt();
  const [{ id } = { id: '' }] = await deliveries();
  const { attempts } = await webhooks.deliveries.get({ id });
  expect(attempts[0]?.response_body).toBe('a'.repeat(16 * 1024));
});

test('the headers of an answer are kept, and shown beside those that were sent', async () => {
  const { webhooks, endpointId, receiver } = await newSending((response) => {
    response.sendDate = false;
    response.setHeader('Content-Type', 'text/plain');
    response.setHeader('Set-Cookie', ['a=1', 'b=2']);
    response.setHeader('X-Odd', 'caf\u00e9 {"\\u0000"}');
    answerWith(response, 503, { Connection: 'close' }, 'later');
  });
  const { id } = await webhooks.endpoints.sendTest({ id: endpointId });
  expect((await webhooks.deliveries.get({ id })).attempts).toEqual([]);
  await drainAt();
  const { attempts, request_headers } = await webhooks.deliveries.get({ id });
  expect(attempts[0]?.response_headers).toEqual([
    ['content-type', 'text/plain'],
    ['set-cookie', 'a=1'],
    ['set-cookie', 'b=2'],
    ['x-odd', 'caf\u00e9 {"\\u0000"}'],
    ['connection', 'close'],
    ['transfer-encoding', 'chunked'],
  ]);
  const { headers } = receiver.received[0] ?? {};
  expect(request_headers.map(([name]) => name)).toEqual([
    'content-type',
    'user-agent',
    'webhook-id',
    'webhook-timestamp',
  ]);
  expect(headers).toMatchObject(Object.fromEntries(request_headers));
  // As they were when it was sent, whenever that was.
  await database().$executeRaw`
    UPDATE webhook_attempts SET started_at = to_timestamp(1700000000)
    WHERE delivery_id = ${id}::uuid`;
  expect((await webhooks.deliveries.get({ id })).request_headers).toContainEqual([
    'webhook-timestamp',
    '1700000000',
  ]);
});

test('of the headers of an answer, 64 and 8 KiB are kept', async () => {
  const { webhooks, endpointId, receiver } = await newSending();
  const headersKept = async () => {
    const { id } = await webhooks.endpoints.sendTest({ id: endpointId });
    await drainAt();
    return (await webhooks.deliveries.get({ id })).attempts[0]?.response_headers ?? [];
  };
  const many = Array.from({ length: 100 }, (_, index) => [`x-${index}`, 'a']);
  receiver.answer = (response) => answerWith(response, 200, Object.fromEntries(many));
  expect((await headersKept()).slice(0, 64)).toEqual(many.slice(0, 64));
  expect(await headersKept()).toHaveLength(64);
  const large = { 'x-small': 'a', 'x-large': 'a'.repeat(9000), 'x-next': 'b' };
  receiver.answer = (response) => answerWith(response, 200, large);
  const kept = await headersKept();
  expect(kept.slice(0, 2)).toEqual([
    ['x-small', 'a'],
    ['x-next', 'b'],
  ]);
});

test('without an answer there are no headers of one', async () => {
  const { webhooks, endpointId, receiver } = await newSending();
  await receiver.close();
  const { id } = await webhooks.endpoints.sendTest({ id: endpointId });
  await drainAt();
  const { attempts } = await webhooks.deliveries.get({ id });
  expect(attempts).toMatchObject([{ error_class: 'connection', response_headers: null }]);
});
