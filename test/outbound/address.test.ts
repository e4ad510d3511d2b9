import { promises as dns } from 'node:dns';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { addressRefused, resolveByDns } from '@/src/outbound/address';
import { kindOf } from '@/src/outbound/errors';
import { guardedRequest } from '@/src/outbound/request';
import { closeServers, serve } from './servers';

const noSuchName = Object.assign(new Error('No such name'), { code: 'ENOTFOUND' });

/** Has a name server answer so. */
function answerWith(v4: string[], v6: string[]) {
  const answer = async (addresses: string[]) => {
    if (addresses.length === 0) throw noSuchName;
    return addresses;
  };
  const { prototype } = dns.Resolver;
  return [
    jest.spyOn(prototype, 'resolve4').mockImplementation(() => answer(v4)),
    jest.spyOn(prototype, 'resolve6').mockImplementation(() => answer(v6)),
  ];
}

afterEach(() => jest.restoreAllMocks());
afterEach(closeServers);

const get = { method: 'GET', headers: {} } as const;

test.each([
  ['both kinds, v4 first', ['192.0.2.1'], ['2001:db8::1']],
  ['v4 alone', ['192.0.2.1'], []],
  ['v6 alone', [], ['2001:db8::1']],
])('a name may have addresses of %s', async (_, v4, v6) => {
  answerWith(v4, v6);
  expect(await resolveByDns('receiver.example')).toEqual([...v4, ...v6]);
});

test.each(['resolve4', 'resolve6'] as const)(
  'a name server that never answers %s does not keep back what the other has brought',
  async (silent) => {
    answerWith(['192.0.2.1'], ['2001:db8::1']);
    jest.spyOn(dns.Resolver.prototype, silent).mockReturnValue(new Promise(() => {}));
    const [v4, v6] = ['192.0.2.1', '2001:db8::1'];
    expect(await resolveByDns('receiver.example')).toEqual([silent === 'resolve4' ? v6 : v4]);
  },
);

test('a name without any says why', async () => {
  answerWith([], []);
  await expect(resolveByDns('receiver.example')).rejects.toBe(noSuchName);
});

test.each(['localhost', 'localhost.', 'a.localhost', 'a.LOCALHOST.'])(
  '%s is this machine, whatever a name server would say (RFC 6761)',
  async (host) => {
    const asked = answerWith(['192.0.2.1'], []);
    expect(await resolveByDns(host)).toEqual(['127.0.0.1', '::1']);
    for (const one of asked) expect(one).not.toHaveBeenCalled();
  },
);

test('whoever may reach no private address has names asked of name servers, and not of the system', async () => {
  answerWith(['127.0.0.1'], []);
  const url = new URL('http://receiver.example/');
  const [failure] = await once(guardedRequest(url, { ...get, allowPrivate: false }).end(), 'error');
  expect(failure).toMatchObject({ code: addressRefused });
});

test('where nobody answers at an address of a name, the next one is tried', async () => {
  const port = await serve(createServer((_request, response) => response.end()));
  const resolve = async () => ['::1', '127.0.0.1'];
  const url = new URL(`http://receiver.example:${port}/`);
  const request = guardedRequest(url, { ...get, allowPrivate: true, resolve });
  const [{ statusCode }] = await once(request.end(), 'response');
  expect(statusCode).toBe(200);
});

test.each([
  ['CERT_HAS_EXPIRED', 'tls'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'tls'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls'],
  ['EPROTO', 'tls'],
  ['ECONNREFUSED', 'connection'],
  ['ECONNRESET', 'connection'],
  ['HPE_INVALID_CONSTANT', 'invalid_answer'],
])('a failure with %s is told as %s', (code, kind) => {
  expect(kindOf(Object.assign(new Error('It failed'), { code }))).toBe(kind);
});
