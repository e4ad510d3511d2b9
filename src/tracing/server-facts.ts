import type { Facts } from './tracer';

/** Host and port of an address, as spans name them; of what is no address, nothing. */
export function serverFacts(address: string): Facts {
  if (!URL.canParse(address)) return {};
  const { hostname, port, protocol } = new URL(address);
  const usual = protocol === 'https:' ? 443 : 80;
  return { 'server.address': hostname, 'server.port': port ? Number(port) : usual };
}
