import { shellWord } from '@/src/ui/code/shell-word';
import type { HeaderLine } from '@/src/webhooks/delivery-schema';

/** What of a delivery its request is made of. */
type Sent = { request_headers: HeaderLine[]; payload: string };

/** Where the last attempt went, or the first one will; the endpoint may be elsewhere by now. */
export function sentTo(
  { attempts }: { attempts: { url: string | null }[] },
  endpointUrl: string,
): string {
  return attempts.at(-1)?.url ?? endpointUrl;
}

/** The head of the last attempt's request, or of the first one to come. */
export function requestHead(delivery: Sent, url: string): string {
  const { pathname, search, host } = new URL(url);
  return [
    `POST ${pathname}${search}`,
    `host: ${host}`,
    ...delivery.request_headers.map(headerText),
    'webhook-signature: v1,… (signed; the signature is not kept)',
  ].join('\n');
}

/** The request for a shell. Unsigned, so a receiver that checks signatures refuses it. */
export function requestAsCurl(delivery: Sent, url: string): string {
  return [
    `curl -i ${shellWord(url)}`,
    ...delivery.request_headers.map((line) => `-H ${shellWord(headerText(line))}`),
    `--data-raw ${shellWord(delivery.payload)}`,
  ].join(' \\\n  ');
}

/** As it stands in a message. */
export function headerText([name, value]: HeaderLine): string {
  return `${name}: ${value}`;
}
