import { createHmac } from 'node:crypto';

type Message = { id: string; body: string; sentAt: Date };

/** The headers of a delivery's request. */
export function requestHeaders(message: Message, secrets: Uint8Array[]) {
  return {
    'content-type': 'application/json',
    'user-agent': 'Testimonials-Webhooks/1.0',
    ...signatureHeaders(message, secrets),
  };
}

/** The same as far as they are known without a secret. */
export function unsignedRequestHeaders(message: Message): [name: string, value: string][] {
  const { 'webhook-signature': _, ...headers } = requestHeaders(message, []);
  return Object.entries(headers);
}

/**
 * The headers by which a receiver knows that a delivery is ours and unchanged: one signature per
 * secret, the newest first. Standard Webhooks, "Webhook headers" and "Signature scheme".
 */
export function signatureHeaders(
  message: Message,
  secrets: Uint8Array[],
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const timestamp = String(Math.floor(message.sentAt.getTime() / 1000));
  const signed = `${message.id}.${timestamp}.${message.body}`;
  const signatures = secrets.map(
    (secret) => `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`,
  );
  return {
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
