import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { signatureHeaders } from '@/src/webhooks/signature';
import { verifyWebhook, WebhookVerificationError } from '../src/index.ts';
import { failure } from './client';

const signedAt = Date.parse('2026-01-15T10:31:00Z');
const now = () => signedAt;

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;
const secret = newSecret();

const event = {
  id: randomUUID(),
  type: 'testimonial.approved',
  timestamp: '2026-01-15T10:31:00.654321+00:00',
  sequence: 2,
  data: { submitter_name: 'Zoë 😀', status: 'approved', previous_status: 'pending' },
};
const payload = JSON.stringify(event);

/** As an independent library signs. */
function sign(by = secret, body = payload): ReturnType<typeof signatureHeaders> {
  return {
    'webhook-id': event.id,
    'webhook-timestamp': String(signedAt / 1000),
    'webhook-signature': new Webhook(by).sign(event.id, new Date(signedAt), body),
  };
}

const verified = (
  headers = sign(),
  by: string | string[] = secret,
  body: string | Uint8Array = payload,
) => verifyWebhook(body, headers, by, { now });

describe('what the service signed is the event', () => {
  test('as text and as bytes', async () => {
    expect(await verified()).toEqual(event);
    expect(await verified(sign(), secret, new TextEncoder().encode(payload))).toEqual(event);
    expect(await verified(sign(), secret, Buffer.from(`-${payload}`).subarray(1))).toEqual(event);
  });

  test('with headers as fetch, Node and a person write them', async () => {
    const headers = sign();
    expect(await verifyWebhook(payload, new Headers(headers), secret, { now })).toEqual(event);
    const capitals = Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]);
    expect(await verified(Object.fromEntries(capitals))).toEqual(event);
  });

  test('narrowed by its type', async () => {
    const { type, data } = await verified();
    expect(type === 'testimonial.approved' && data.previous_status).toBe('pending');
  });

  test('while secrets are rotated, by either side first', async () => {
    const next = newSecret();
    const id = event.id;
    const bytes = [next, secret].map((one) => Buffer.from(one.slice('whsec_'.length), 'base64'));
    const both = signatureHeaders({ id, body: payload, sentAt: new Date(signedAt) }, bytes);
    expect(await verified(both, secret)).toEqual(event);
    expect(await verified(both, next)).toEqual(event);
    expect(await verified(sign(), [next, secret])).toEqual(event);
    expect(await verified(sign(next), [next, secret])).toEqual(event);
  });

  test('with blanks around a secret, as in a list that a person wrote', async () => {
    const list = `${newSecret()}, ${secret}\n`;
    expect(await verified(sign(), list.split(','))).toEqual(event);
  });

  test('beside signatures of versions to come', async () => {
    const headers = sign();
    headers['webhook-signature'] = `v1a,AAAA v2 ${headers['webhook-signature']}`;
    expect(await verified(headers)).toEqual(event);
  });

  test('within the tolerance, in both directions', async () => {
    const at = async (seconds: number, toleranceSeconds?: number) =>
      verifyWebhook(payload, sign(), secret, {
        now: () => signedAt + seconds * 1000,
        toleranceSeconds,
      });
    for (const seconds of [300, -300]) expect(await at(seconds)).toEqual(event);
    expect(await at(3600, 3600)).toEqual(event);
    for (const seconds of [300.001, -300.001, Number.NaN]) {
      expect(await failure(at(seconds))).toMatchObject({
        code: 'WEBHOOK_TIMESTAMP_OUT_OF_TOLERANCE',
      });
    }
    expect(await failure(at(11, 10))).toBeInstanceOf(WebhookVerificationError);
    expect(await failure(at(0, Number.NaN))).toBeInstanceOf(WebhookVerificationError);
  });
});

describe('refused is', () => {
  const { 'webhook-signature': signature } = sign();

  test.each([
    ['another secret', sign(newSecret()), payload],
    ['another body', sign(), payload.replace('approved', 'rejected')],
    ['a body written anew', sign(), JSON.stringify(event, null, 1)],
    ['another id', { ...sign(), 'webhook-id': randomUUID() }, payload],
    ['another time', { ...sign(), 'webhook-timestamp': String(signedAt / 1000 + 1) }, payload],
    ['half a signature', { ...sign(), 'webhook-signature': signature.slice(0, 20) }, payload],
    ['no base64', { ...sign(), 'webhook-signature': 'v1,*' }, payload],
    [
      'a signature without its version',
      { ...sign(), 'webhook-signature': signature.slice(3) },
      payload,
    ],
    [
      'a signature of another version',
      { ...sign(), 'webhook-signature': `v2${signature.slice('v1'.length)}` },
      payload,
    ],
    [
      'one behind ten others',
      { ...sign(), 'webhook-signature': `${'v1,AAAA '.repeat(10)}${signature}` },
      payload,
    ],
  ])('%s', async (_, headers, body) => {
    const error = await failure(verified(headers, secret, body));
    expect(error).toBeInstanceOf(WebhookVerificationError);
    expect(error).toMatchObject({ code: 'WEBHOOK_SIGNATURE_INVALID', status: undefined });
  });

  test.each([
    ['webhook-id', undefined],
    ['webhook-id', ''],
    ['webhook-signature', undefined],
    ['webhook-timestamp', undefined],
    ['webhook-timestamp', 'now'],
    ['webhook-timestamp', '1e9'],
    ['webhook-timestamp', ['1', '2']],
  ])('the header %s as %p', async (name, value) => {
    const headers = { ...sign(), [name]: value };
    expect(await failure(verifyWebhook(payload, headers, secret, { now }))).toMatchObject({
      code: 'WEBHOOK_HEADERS_INVALID',
    });
  });

  test('what is signed and no JSON', async () => {
    expect(await failure(verified(sign(secret, '{'), secret, '{'))).toMatchObject({
      code: 'WEBHOOK_PAYLOAD_INVALID',
      cause: expect.any(Error),
    });
  });

  test('what is signed and no UTF-8', async () => {
    const body = Buffer.from([0x22, 0xff, 0x22]);
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const signed = createHmac('sha256', key)
      .update(`${event.id}.${signedAt / 1000}.`)
      .update(body);
    const headers = { ...sign(), 'webhook-signature': `v1,${signed.digest('base64')}` };
    expect(await failure(verified(headers, secret, body))).toMatchObject({
      code: 'WEBHOOK_PAYLOAD_INVALID',
    });
  });

  test.each([[{}], [event], [null]])('a payload that is parsed or missing: %p', async (none) => {
    const error = await failure(verified(sign(), secret, none as unknown as string));
    expect(error).toMatchObject({ code: 'WEBHOOK_PAYLOAD_INVALID' });
  });

  test.each(['', 'whsec_', 'whsec_***'])('the secret %p', async (none) => {
    expect(await failure(verified(sign(), none))).toMatchObject({ code: 'WEBHOOK_SECRET_INVALID' });
  });

  test.each([[undefined], [null], [[undefined]]])('a secret that is missing: %p', async (none) => {
    const secrets = none as unknown as string;
    const error = await failure(verifyWebhook(payload, sign(), secrets, { now }));
    expect(error).toBeInstanceOf(WebhookVerificationError);
    expect(error).toMatchObject({ code: 'WEBHOOK_SECRET_INVALID' });
  });

  test('anything where there is no secret', async () => {
    expect(await failure(verified(sign(), []))).toMatchObject({
      code: 'WEBHOOK_SIGNATURE_INVALID',
    });
  });
});
