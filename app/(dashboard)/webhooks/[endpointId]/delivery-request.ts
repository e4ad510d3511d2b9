/** What of a delivery its request is made of. */
type Sent = {
  event_id: string;
  payload: string;
  attempts: { started_at: string }[];
};

/**
 * The headers of the last attempt, or of the first one to come. The signature is not kept, and
 * anew it needs the secret.
 */
export function requestHead(delivery: Sent, url: string): string {
  const { pathname, search, host } = new URL(url);
  return [
    `POST ${pathname}${search}`,
    `host: ${host}`,
    ...headers(delivery).map(([name, value]) => `${name}: ${value}`),
    'webhook-signature: v1,… (not kept)',
  ].join('\n');
}

/** The request for a shell. Unsigned, so a receiver that checks signatures refuses it. */
export function requestAsCurl(delivery: Sent, url: string): string {
  return [
    `curl -i ${quoted(url)}`,
    ...headers(delivery).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    `--data-raw ${quoted(delivery.payload)}`,
  ].join(' \\\n  ');
}

function headers({ event_id, attempts }: Sent): [name: string, value: string][] {
  const startedAt = attempts.at(-1)?.started_at;
  const sentAt = startedAt === undefined ? new Date() : new Date(startedAt);
  return [
    ['content-type', 'application/json'],
    ['webhook-id', event_id],
    ['webhook-timestamp', String(Math.floor(sentAt.getTime() / 1000))],
  ];
}

/** A word of a POSIX shell that stands for exactly this text. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** JSON with line breaks; anything else as it is. */
export function formatBody(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
