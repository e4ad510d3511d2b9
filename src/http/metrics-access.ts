import type { IncomingMessage } from 'node:http';
import { isTrustedProxy, parseAddress } from '../api/forwarded';
import { env } from '../env';
import { isSameSecret } from '../secrets/same-secret';

export const metricsPath = '/api/metrics';

/** What a proxy adds to what it hands on. */
const proxyHeaders = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
];

const loopbackNames = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/i;

/**
 * Whether a request may read the metrics: with METRICS_TOKEN as its bearer token; where none is set,
 * over the loopback interface and not through a proxy, as far as that can be told. The name in `Host`
 * has to be one of this machine: a page of another name can be made to lead here (DNS rebinding). To
 * be asked before anything changes the headers.
 */
export function mayReadMetrics({
  method,
  headers,
  socket,
}: Pick<IncomingMessage, 'method' | 'headers'> & { socket: { remoteAddress?: string } }): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  const token = env().METRICS_TOKEN;
  if (token) return isSameSecret(headers.authorization ?? '', `Bearer ${token}`);
  const address = socket.remoteAddress ?? '';
  if (parseAddress(address)?.range() !== 'loopback' || isTrustedProxy(address)) return false;
  if (proxyHeaders.some((name) => headers[name] !== undefined)) return false;
  return loopbackNames.test(headers.host ?? '');
}
