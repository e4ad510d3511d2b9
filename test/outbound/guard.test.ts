import net from 'node:net';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { isPublicAddress } from '@/src/outbound/address';
import { sendOutbound } from '@/src/outbound/send';
import { readUrl, refusePrivateHost } from '@/src/outbound/url';
import { closeServers, openTrap } from './servers';

afterEach(closeServers);

const request = {
  headers: {},
  body: '{}',
  timeoutMs: 60_000,
  keepBytes: 1024,
} as const;

const loopback = [
  '127.0.0.1',
  '127.1',
  '127.0.0.1.',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '0177.0.0.1',
  '①②⑦.⓪.⓪.①',
  '%31%32%37.0.0.1',
  '0.0.0.0',
  '0',
  'localhost',
  'LOCALHOST',
];

test.each(loopback)('https://%s is refused, and would have been reached', async (host) => {
  const trap = await openTrap();
  const url = `https://${host}:${trap.port}/`;
  const kind = expect.stringMatching(/^(?:url|address)_refused$/);
  await expect(sendOutbound({ ...request, url, allowPrivate: false })).rejects.toMatchObject({
    kind,
  });
  expect(trap.connections).toBe(0);
  await expect(sendOutbound({ ...request, url, allowPrivate: true })).rejects.toMatchObject({
    kind: expect.stringMatching(/^(?:connection|tls)$/),
  });
  expect(trap.connections).toBe(1);
});

const privateAddresses = [
  '127.0.0.1',
  '0.0.0.0',
  '10.0.0.1',
  '100.64.0.1',
  '169.254.169.254',
  '168.63.129.16',
  '172.16.0.1',
  '192.0.0.192',
  '192.168.0.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:a9fe:a9fe',
  '64:ff9b::7f00:1',
  '64:ff9b:1::7f00:1',
  '2002:7f00:1::',
  '2001:0:7f00:1::',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fec0::1',
  'ff02::1',
  // In no block for the public internet.
  '100::1',
  '200::1',
  '1fff:ffff::1',
  '4000::1',
  '5f00::1',
  '8000::1',
  // Given out for a special purpose.
  '2001:2::1',
  '2001:20::1',
  '2001:1ff::1',
  '2001:db8::1',
  '3fff::1',
  '3fff:fff::1',
];

test.each(privateAddresses)('%s is refused as an address and behind a name', async (address) => {
  const host = net.isIPv6(address) ? `[${address}]` : address;
  await expect(
    sendOutbound({ ...request, url: `https://${host}/`, allowPrivate: false }),
  ).rejects.toMatchObject({ kind: 'url_refused' });
  await expect(
    sendOutbound({
      ...request,
      url: 'https://receiver.example/',
      allowPrivate: false,
      resolve: async () => [address],
    }),
  ).rejects.toMatchObject({ kind: 'address_refused' });
});

/** Within what is given out for the public internet, and none of it (IANA, special-purpose registry). */
const specialBlocks = ['2001::/23', '2001:db8::/32', '3fff::/20', '2002::/16'];

test.each(specialBlocks)('every address of %s is refused', (block) => {
  const [base, prefix] = ipaddr.IPv6.parseCIDR(block);
  const fixed = base.toByteArray();
  const within = fc.array(fc.constantFrom(0, 1, 127, 128, 254, 255), {
    minLength: 16,
    maxLength: 16,
  });
  fc.assert(
    fc.property(within, (bytes) => {
      const address = bytes.map((byte, index) => {
        const mask = 0xff >> Math.min(8, Math.max(0, prefix - 8 * index));
        return ((fixed[index] ?? 0) & ~mask) | (byte & mask);
      });
      expect(isPublicAddress(ipaddr.fromByteArray(address).toString())).toBe(false);
    }),
  );
});

test.each(['2606:2800:220:1::1', '2001:200::1', '2a00:1450::1', '3ffe::1'])(
  '%s is of the public internet',
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
    expect(readUrl(`https://[${address}]/`, { allowPrivate: false }).hostname).toContain(address);
  },
);

test.each(['127.0.0.1..', '10.0.0.1...', 'localhost..', 'receiver..example', '..'])(
  'https://%s names no host, and is refused as it is written down',
  (host) => {
    expect(() => readUrl(`https://${host}/`, { allowPrivate: false })).toThrow(/The URL/);
  },
);

test('a name is refused where any of its addresses is private', async () => {
  const resolve = async () => ['93.184.215.14', '127.0.0.1'];
  const url = 'https://receiver.example/';
  await expect(
    sendOutbound({ ...request, url, allowPrivate: false, resolve }),
  ).rejects.toMatchObject({ kind: 'address_refused' });
  await expect(refusePrivateHost(readUrl(url, { allowPrivate: false }), resolve)).rejects.toThrow(
    'not on the public internet',
  );
});

test('a name that does not resolve is not refused yet: it is asked again at each connection', async () => {
  const url = readUrl('https://not-yet.example/', { allowPrivate: false });
  await refusePrivateHost(url, () => Promise.reject(new Error('ENOTFOUND')));
});

test('a name that turns private after it was checked is refused at the connection', async () => {
  const trap = await openTrap();
  const addresses = [['93.184.215.14'], ['127.0.0.1']];
  const resolve = async () => addresses.shift() ?? [];
  const url = `https://receiver.example:${trap.port}/`;
  await refusePrivateHost(readUrl(url, { allowPrivate: false }), resolve);
  await expect(
    sendOutbound({ ...request, url, allowPrivate: false, resolve }),
  ).rejects.toMatchObject({ kind: 'address_refused' });
  expect(trap.connections).toBe(0);
});

test('the ports that fetch refuses are refused, all of them', async () => {
  const isBlocked = (port: number) => {
    try {
      readUrl(`http://127.0.0.1:${port}/`, { allowPrivate: true });
      return false;
    } catch {
      return true;
    }
  };
  const blocked = Array.from({ length: 65_535 }, (_, index) => index + 1).filter(isBlocked);
  expect(blocked.length).toBeGreaterThan(70);
  // No port to connect to, whatever fetch makes of it.
  expect(isBlocked(0)).toBe(true);
  for (const port of blocked) {
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({
      cause: { message: 'bad port' },
    });
  }
});

test.each([
  ['http://receiver.example/', 'https://'],
  ['https://user@receiver.example/', 'user name'],
  ['https://:secret@receiver.example/', 'password'],
  ['file:///etc/passwd', 'https://'],
  ['//receiver.example/', 'not a valid'],
])('the URL %s is refused, also at every send', async (url, reason) => {
  expect(() => readUrl(url, { allowPrivate: false })).toThrow(reason);
  await expect(sendOutbound({ ...request, url, allowPrivate: false })).rejects.toMatchObject({
    kind: 'url_refused',
  });
});

test('how a URL must begin is said as it is set', () => {
  const words = (allowPrivate: boolean) => {
    try {
      return readUrl('ftp://receiver.example/', { allowPrivate }).href;
    } catch (error) {
      return error instanceof Error && error.message;
    }
  };
  expect(words(false)).toBe('The URL must begin with https://.');
  expect(words(true)).toBe('The URL must begin with https:// or http://.');
});
