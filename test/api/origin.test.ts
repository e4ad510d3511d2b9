import {
  addressPrefix,
  addressSite,
  clientAddress,
  keepTrustedForwarding,
  parseAddress,
  trustedStrangersWarning,
  unknownAddressWarning,
  unknownProxyWarning,
} from '@/src/api/forwarded';
import { isBehindHttps, isOwnOrigin } from '@/src/api/origin';
import { parseEnv, provideEnv } from '@/src/env';

afterEach(() => provideEnv({ PUBLIC_URL: '', TRUSTED_PROXIES: '' }));

/** The headers that are left of what a peer has sent, as the front passes them on. */
function passedOn(sent: Record<string, string>, peer: string): Headers {
  const headers = { ...sent };
  keepTrustedForwarding({ headers, socket: { remoteAddress: peer } });
  return new Headers(headers);
}

const proxy = '10.0.0.5';
const stranger = '198.51.100.1';

describe('without PUBLIC_URL the own origin', () => {
  test.each([
    ['http://app.example', true],
    ['http://app.example:3000', false],
    ['https://app.example', false],
    ['http://app.example.evil.example', false],
    ['null', false],
    ['', false],
  ])('is the Host with its scheme: "%s" → %s', (origin, isOwn) => {
    expect(isOwnOrigin(passedOn({ host: 'app.example', origin }, stranger))).toBe(isOwn);
  });

  test('is what a trusted proxy says', () => {
    provideEnv({ TRUSTED_PROXIES: '10.0.0.0/8' });
    const sent = {
      host: 'internal:3000',
      'x-forwarded-host': 'app.example',
      'x-forwarded-proto': 'https',
    };
    for (const peer of [proxy, `::ffff:${proxy}`]) {
      const headers = (origin: string) => passedOn({ ...sent, origin }, peer);
      expect(isOwnOrigin(headers('https://app.example'))).toBe(true);
      expect(isOwnOrigin(headers('http://app.example'))).toBe(false);
      expect(isOwnOrigin(headers('http://internal:3000'))).toBe(false);
      expect(isBehindHttps(headers('https://app.example'))).toBe(true);
    }
  });

  test.each([
    ['HTTPS', true],
    ['https, http', true],
    [' Https , http', true],
    ['http, https', false],
    ['', false],
  ])('has the scheme that the first proxy says, however it is written: "%s"', (proto, isSafe) => {
    provideEnv({ TRUSTED_PROXIES: proxy });
    const headers = passedOn({ host: 'app.example', 'x-forwarded-proto': proto }, proxy);
    expect(isBehindHttps(headers)).toBe(isSafe);
  });

  test.each([
    ['where none is trusted', ''],
    ['from beside the trusted ones', '10.0.0.0/8'],
  ])('is not what anybody says %s', (_, trusted) => {
    provideEnv({ TRUSTED_PROXIES: trusted });
    const sent = {
      host: 'app.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      forwarded: 'host=evil.example;proto=https',
    };
    const headers = passedOn({ ...sent, origin: 'https://evil.example' }, stranger);
    expect(isOwnOrigin(headers)).toBe(false);
    expect(isBehindHttps(headers)).toBe(false);
    expect(headers.get('forwarded')).toBeNull();
  });
});

describe('with PUBLIC_URL the own origin', () => {
  test.each([
    ['https://app.example', true],
    ['http://app.example', false],
    ['http://internal:3000', false],
    ['https://internal:3000', false],
    ['https://forwarded.example', false],
  ])('is that and nothing else: %s → %s', (origin, isOwn) => {
    provideEnv({ PUBLIC_URL: 'https://app.example/', TRUSTED_PROXIES: proxy });
    const sent = {
      host: 'internal:3000',
      'x-forwarded-host': 'forwarded.example',
      'x-forwarded-proto': 'http',
    };
    const headers = passedOn({ ...sent, origin }, proxy);
    expect(isOwnOrigin(headers)).toBe(isOwn);
    expect(isBehindHttps(headers)).toBe(true);
  });
});

describe('X-Forwarded-For', () => {
  const chain = (sent: string, peer: string) =>
    passedOn({ 'x-forwarded-for': sent }, peer).get('x-forwarded-for');

  test('of anybody is replaced by the address of the connection', () => {
    expect(chain('1.2.3.4', stranger)).toBe(stranger);
  });

  test('of a trusted proxy is continued', () => {
    provideEnv({ TRUSTED_PROXIES: `2001:db8::/32,${proxy}` });
    expect(chain('1.2.3.4', proxy)).toBe(`1.2.3.4, ${proxy}`);
    expect(chain('1.2.3.4', '2001:db8::7')).toBe('1.2.3.4, 2001:db8::7');
    expect(chain('1.2.3.4', '10.0.0.6')).toBe('10.0.0.6');
  });
});

describe('the address of a client', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7:49152', '203.0.113.7'],
    ['[2001:db8::7]:49152', '2001:db8::'],
    ['[2001:db8::7]', '2001:db8::'],
    ['2001:db8::7', '2001:db8::'],
    ['[::ffff:203.0.113.7]:49152', '203.0.113.7'],
    ['203.0.113.7:', 'unknown'],
    ['203.0.113.7:99999999', 'unknown'],
    ['203.0.113.7:80:80', 'unknown'],
    ['2001:db8::7:', 'unknown'],
    ['[203.0.113.7]:80', 'unknown'],
    ['[2001:db8::7', 'unknown'],
    ['[2001:db8::7]80', 'unknown'],
    ['app.example:80', 'unknown'],
    ['unknown', 'unknown'],
    ['', 'unknown'],
  ])('is read with the port that some proxies add: "%s" → %s', (sent, prefix) => {
    provideEnv({ TRUSTED_PROXIES: proxy });
    const headers = passedOn({ 'x-forwarded-for': `198.51.100.9:1, ${sent}` }, proxy);
    expect(addressPrefix(clientAddress(headers))).toBe(prefix);
  });

  test('is not that of a trusted proxy with its port', () => {
    provideEnv({ TRUSTED_PROXIES: `${proxy},2001:db8:1::/48` });
    const chain = '203.0.113.7:49152, 10.0.0.5:1024, [2001:db8:1::2]:443';
    const headers = passedOn({ 'x-forwarded-for': chain }, proxy);
    expect(addressPrefix(clientAddress(headers))).toBe('203.0.113.7');
  });

  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['198.51.100.9, 203.0.113.7', 'unknown'],
    ['198.51.100.9,', 'unknown'],
  ])('where no proxy is known is one that stands alone: "%s" → %s', (chain, prefix) => {
    const headers = new Headers({ 'x-forwarded-for': chain });
    expect(addressPrefix(clientAddress(headers))).toBe(prefix);
  });

  test('counts by its /64 as one, by its /48 as one who may be several, and of IPv4 whole', () => {
    const address = parseAddress('2001:db8:1:2:3:4:5:6');
    expect(addressPrefix(address)).toBe('2001:db8:1:2::');
    expect(addressSite(address)).toBe('2001:db8:1::');
    expect(addressSite(parseAddress('203.0.113.7'))).toBe('203.0.113.7');
  });
});

test.each([
  [{}, false],
  [{ PUBLIC_URL: 'https://app.example' }, true],
  [{ PUBLIC_URL: 'https://app.example', TRUSTED_PROXIES: '10.0.0.1' }, false],
  [{ TRUSTED_PROXIES: '10.0.0.1' }, false],
])('with %j, a warning that all people count as one: %s', (settings, isWarned) => {
  const warning = unknownProxyWarning(parseEnv(settings));
  expect(warning?.includes('TRUSTED_PROXIES') ?? false).toBe(isWarned);
});

test.each([
  ['0.0.0.0/0', true],
  ['10.0.0.5,::/0', true],
  ['128.0.0.0/1', true],
  ['::ffff:0.0.0.0/96', true],
  ['10.0.0.0/8,fc00::/7,2400:cb00::/32,::1,::ffff:10.0.0.0/104', false],
])('trusting %s, a warning that strangers are believed: %s', (TRUSTED_PROXIES, isWarned) => {
  const warning = trustedStrangersWarning(parseEnv({ TRUSTED_PROXIES }));
  expect(warning?.includes('TRUSTED_PROXIES') ?? false).toBe(isWarned);
});

test.each([
  [{}, false],
  [{ TRUSTED_PROXIES: '10.0.0.5' }, true],
  [{ PUBLIC_URL: 'https://app.example', TRUSTED_PROXIES: '10.0.0.5' }, false],
])('proxies without an address of the service are warned of: %j → %s', (settings, isWarned) => {
  const warning = unknownAddressWarning(parseEnv(settings));
  expect(warning?.includes('PUBLIC_URL') ?? false).toBe(isWarned);
});
