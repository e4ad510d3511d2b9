/**
 * Two guards keep connections off private addresses: the lookup, for names, and the agent, which
 * sees literal addresses too. Each holds where the other is taken away, and requests have both.
 */
import http, { type ClientRequest } from 'node:http';
import { addressRefused, lookupBy, type Resolve } from '@/src/outbound/address';
import { agentFor } from '@/src/outbound/agents';
import { kindOf } from '@/src/outbound/errors';
import { guardedRequest } from '@/src/outbound/request';
import { closeServers, openTrap } from './servers';

afterEach(closeServers);

const toLoopback: Resolve = async () => ['127.0.0.1'];
const guarded = { allowPrivate: false };

function failureOf(request: ClientRequest): Promise<NodeJS.ErrnoException> {
  return new Promise((done) => request.on('error', done).end());
}

const byAgent = { message: expect.stringContaining('is not allowed') };

test('the lookup alone refuses a name of a private address', async () => {
  const { port } = await openTrap();
  const agent = new http.Agent();
  const lookup = lookupBy(toLoopback, guarded);
  const request = http.request(`http://receiver.example:${port}/`, { agent, lookup });
  expect(await failureOf(request)).toMatchObject({ code: addressRefused });
});

test('the lookup alone refuses a name of which one address is private', async () => {
  const lookup = lookupBy(async () => ['93.184.215.14', '127.0.0.1'], guarded);
  const refused = new Promise((done) => lookup('receiver.example', { all: true }, done));
  expect(await refused).toMatchObject({ code: addressRefused });
});

test.each([
  ['http:', false],
  ['https:', false],
  ['http:', true],
  ['https:', true],
])(
  'the agent alone refuses both over %s, with a connection of its own: %s',
  async (protocol, isAnew) => {
    const trap = await openTrap();
    const lookup = lookupBy(toLoopback, { allowPrivate: true });
    for (const host of ['receiver.example', '127.0.0.1', '[::1]', '[::ffff:127.0.0.1]']) {
      const url = new URL(`${protocol}//${host}:${trap.port}/`);
      const agent = agentFor(url, { ...guarded, isAnew });
      const { request } = protocol === 'https:' ? await import('node:https') : http;
      const failure = await failureOf(request(url, { agent, lookup }));
      expect([host, failure]).toEqual([host, expect.objectContaining(byAgent)]);
      expect(kindOf(failure)).toBe('address_refused');
    }
    expect(trap.connections).toBe(0);
  },
);

test('the agent alone refuses the metadata service that looks public', async () => {
  const url = new URL('http://168.63.129.16/');
  const request = http.request(url, { agent: agentFor(url, guarded) });
  expect(await failureOf(request)).toMatchObject(byAgent);
});

test.each(['http:', 'https:'])(
  'connections over %s to private addresses are kept for none that may not have them',
  (protocol) => {
    const url = new URL(`${protocol}//receiver.example/`);
    const open = agentFor(url, { allowPrivate: true });
    expect(agentFor(url, guarded)).not.toBe(open);
    expect(agentFor(url, { allowPrivate: true })).toBe(open);
  },
);

describe('a request has both', () => {
  const headers = {};

  test('a name is refused by the lookup', async () => {
    const { port } = await openTrap();
    const url = new URL(`http://receiver.example:${port}/`);
    const request = guardedRequest(url, {
      method: 'GET',
      headers,
      ...guarded,
      resolve: toLoopback,
    });
    expect(await failureOf(request)).toMatchObject({ code: addressRefused });
  });

  test('an address, for which nothing is looked up, by the agent', async () => {
    const trap = await openTrap();
    const url = new URL(`http://127.0.0.1:${trap.port}/`);
    const request = guardedRequest(url, { method: 'GET', headers, ...guarded });
    expect(await failureOf(request)).toMatchObject(byAgent);
    expect(trap.connections).toBe(0);
  });
});
