import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { seal, unseal } from '@/src/secrets/seal';
import { payload } from '@/src/webhooks/payload';
import { formatSecret, generateSecret, sealOf } from '@/src/webhooks/secret';
import { signatureHeaders } from '@/src/webhooks/signature';
import { unknownId } from './dashboard';

const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek';
const body = '{"test": 2432232314, "text": "Grüße 🙂"}';

test('a signature is v1, and the base64 HMAC-SHA256 of id.timestamp.body', () => {
  // The example of the Standard Webhooks specification.
  const secret = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64');
  const sentAt = new Date(1614265330 * 1000);
  expect(signatureHeaders({ id, body: '{"test": 2432232314}', sentAt }, [secret])).toEqual({
    'webhook-id': id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

test('receivers of either secret find their signature, others none', () => {
  const secrets = [generateSecret(), generateSecret()];
  const headers = signatureHeaders({ id, body, sentAt: new Date() }, secrets);
  for (const secret of secrets) {
    expect(new Webhook(formatSecret(secret)).verify(body, headers)).toEqual(JSON.parse(body));
  }
  const stranger = new Webhook(formatSecret(generateSecret()));
  expect(() => stranger.verify(body, headers)).toThrow('No matching signature');
  const own = new Webhook(formatSecret(secrets[0] ?? generateSecret()));
  expect(() => own.verify(`${body} `, headers)).toThrow('No matching signature');
});

test('a stored secret is read with the same key for the same endpoint, or not at all', () => {
  const secret = randomBytes(32);
  const stored = seal(secret, sealOf(unknownId));
  expect(stored).toHaveLength(12 + 32 + 16);
  expect(unseal(stored, sealOf(unknownId))).toEqual(secret);
  expect(seal(secret, sealOf(unknownId))).not.toEqual(stored);
  expect(() => unseal(stored, sealOf(unknownId.replace(/^./, '_')))).toThrow();
  expect(() => unseal(stored, { ...sealOf(unknownId), purpose: 'kept-answers' })).toThrow();
  const damaged = Uint8Array.from(stored, (byte, index) => (index === 20 ? byte ^ 1 : byte));
  expect(() => unseal(damaged, sealOf(unknownId))).toThrow();
});

test('the payload carries the stored data as it stands, byte for byte', () => {
  const data = '{"rating":5, "text_content":"\\u00e9 }{"}';
  const event = {
    id: unknownId,
    type: 'testimonial.created' as const,
    timestamp: '2026-01-15T10:30:00.123456+00:00',
    sequence: 3,
    isTest: false,
    data,
  };
  expect(payload(event)).toBe(
    `{"id":"${unknownId}","type":"testimonial.created","timestamp":"2026-01-15T10:30:00.123456+00:00","sequence":3,"data":${data}}`,
  );
  expect(JSON.parse(payload({ ...event, isTest: true }))).toMatchObject({ is_test: true });
});
