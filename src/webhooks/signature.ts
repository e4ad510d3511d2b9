import { createHmac } from 'node:crypto';

/**
 * The headers by which a receiver knows that a delivery is ours and unchanged: one signature per
 * secret, the newest first. Standard Webhooks, "Webhook headers" and "Signature scheme".
 */
export function signatureHeaders(
  message: { id: string; body: string; sentAt: Date },
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
