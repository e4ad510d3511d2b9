/** What variables of the environment may hold, each with the words in which another value is refused. */
import { z } from 'zod';
import { isWellEscaped } from './urls/percent-encoding';

/** One of some words, as they are written. */
export function choice<const Words extends readonly string[]>(words: Words) {
  return z.enum(words, `must be ${words.slice(0, -1).join(', ')} or ${words.at(-1)}`);
}

/** `true`/`false`, nothing else: `"0"` or `"no"` would be read differently by different people. */
export const flag = choice(['true', 'false']).transform((value) => value === 'true');

/** In digits alone. `or` begins the words where it is one of several: a union leaves it to speak for all. */
export function wholeNumber(
  least: number,
  most = Number.MAX_SAFE_INTEGER,
  { or = '' }: { or?: string } = {},
) {
  const range =
    most < Number.MAX_SAFE_INTEGER ? `from ${least} to ${most}` : `of at least ${least}`;
  const words = `must be ${or}a whole number ${range}`;
  return z
    .string()
    .regex(/^\d+$/, words)
    .transform(Number)
    .refine((value) => value >= least && value <= most, words);
}

/** A part of the whole. */
export const share = z
  .string()
  .regex(/^(0|0?\.\d+|1(\.0+)?)$/, 'must be a number from 0 to 1')
  .transform(Number);

/** `key=value` pairs by commas, percent-encoded, as OpenTelemetry writes them. */
export const pairs = z.string().transform((list, context) => {
  const entries = list.split(',').filter((entry) => entry.trim() !== '');
  try {
    return Object.fromEntries(entries.map(readPair));
  } catch {
    context.addIssue({ code: 'custom', message: 'must be key=value pairs, percent-encoded' });
    return z.NEVER;
  }
});

function readPair(entry: string): [name: string, value: string] {
  const at = entry.indexOf('=');
  const name = entry.slice(0, Math.max(0, at)).trim();
  if (name === '') throw new Error('no name');
  return [name, decodeURIComponent(entry.slice(at + 1).trim())];
}

export const headers = pairs.refine(areHeaders, 'has a name or a value that no header may have');

function areHeaders(values: Record<string, string>): boolean {
  try {
    new Headers(values);
    return true;
  } catch {
    return false;
  }
}

/** What goes into a header, or comes in one: anything else is an error when it is first used. */
export const headerText = z
  .string()
  .regex(
    /^[\x20-\x7e]*$/,
    'must be of the characters that a header may have: no “” or line breaks',
  );
export const headerToken = headerText.min(16, 'must have at least 16 characters');

/** IP addresses or CIDR ranges, by commas. */
export const proxies = z
  .string()
  .transform((list) => list.split(',').map((entry) => entry.trim()))
  .refine((entries) => entries.every((entry) => addresses.safeParse(entry).success), {
    error: 'must be IP addresses or CIDR ranges, by commas, as 10.0.0.5,172.16.0.0/12',
  });
const addresses = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]);

export const databaseUrl = textWithout(databaseUrlProblem);

function databaseUrlProblem(text: string): string | undefined {
  if (!/^postgres(ql)?:\/\//.test(text)) return 'must be a postgresql:// address';
  if (severalHosts.test(text)) {
    return 'must name one host: where several servers take turns, that of a proxy which leads to the primary';
  }
  if (isCut(text) || !isDecodable(text)) return unreadable(text);
  const { host, searchParams } = new URL(text);
  if (host === '' && !searchParams.has('host'))
    return 'must name a host, as postgresql://host/name';
  const seconds = Number(searchParams.get('socket_timeout'));
  if (seconds >= 0 && Number.isFinite(seconds)) return undefined;
  return 'must have a number of seconds as socket_timeout, or none';
}

const notEncoded =
  'is no address that can be read: percent-encode # / ? % @ in its user and password (as %23, ' +
  '%2F, %3F, %25, %40)';

/** What is wrong with an address that cannot be read, or is cut. */
function unreadable(text: string): string {
  const withoutPort = text.replace(lastPort, '$1');
  const isPort = !URL.canParse(text) && URL.canParse(withoutPort);
  return isPort ? 'must have a port from 0 to 65535, or none' : notEncoded;
}

/** Where there is an @ behind it, it is a part of the password. */
const lastPort = /^(\w+:\/\/(?:[^/?#]*@)?[^/?#@]*):[^/?#@:\]]*(?=$|[/?#][^@]*$)/;

/** A password that is not encoded ends where its # / or ? stands, and the rest passes for something else. */
function isCut(text: string): boolean {
  if (!URL.canParse(text)) return true;
  const { username, pathname, search, hash } = new URL(text);
  return hash !== '' || (username === '' && pathname.includes('@')) || /^\?[^=&]*@/.test(search);
}

function isDecodable(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { username, password, pathname } = new URL(text);
  return [username, password, pathname].every(isWellEscaped);
}

/** Nodemailer takes a % that encodes nothing as it is. */
export const smtpUrl = serverUrl(/^smtps?:\/\//, 'must be an smtp:// or smtps:// address');

export const redisUrl = serverUrl(
  /^rediss?:\/\//,
  'must be a redis:// or rediss:// address, as redis://localhost:6379',
  (url) => {
    if (!isDecodable(url)) return notEncoded;
    const { pathname, searchParams } = new URL(url);
    const number = pathname.slice(1) || searchParams.get('db') || '0';
    // What the driver reads none of ends the process as it connects.
    return Number.isNaN(Number.parseInt(number, 10)) ? notNumbered : undefined;
  },
);

const notNumbered =
  'must have the number of a database as its path, or none, as redis://localhost:6379/1';

/** Of a server with a host, whose path, if any, is none with an @; `problemOf` looks at the rest. */
function serverUrl(
  scheme: RegExp,
  error: string,
  problemOf: (url: string) => string | undefined = () => undefined,
) {
  return textWithout((url) => {
    if (!scheme.test(url)) return error;
    if (isCut(url)) return unreadable(url);
    if (new URL(url).pathname.includes('@')) return notEncoded;
    return new URL(url).host === '' ? error : problemOf(url);
  });
}

/** `problemOf` says what is wrong with a text, or nothing. */
function textWithout(problemOf: (text: string) => string | undefined) {
  return z.string().superRefine((text, context) => {
    const message = problemOf(text);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });
}

/** A list, as libpq takes it and the driver does not: with ports it is no URL, and without one it is a name. */
const severalHosts = /:\/\/([^/?#]*@)?[^/?#@]*,[^/?#@]*([/?#]|$)|[?&]host=[^&]*(,|%2C)/i;

/** Of a server that is asked over HTTP; the example tells how one looks. */
export function httpUrl(example: string) {
  const error = `must be an http:// or https:// address, as ${example}`;
  return z.url({ protocol: /^https?$/, error });
}

/** `fetch` refuses an address with a password, and its error, which is logged, has all of it. */
export function urlWithoutLogin(example: string) {
  const error = 'must have no user name or password';
  return httpUrl(example).refine((url) => !hasLogin(url), { error });
}

function hasLogin(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { username, password } = new URL(url);
  return username !== '' || password !== '';
}

/** One that something is put behind: a query or a fragment would take that. */
export function baseUrl(example: string) {
  return urlWithoutLogin(example).regex(/^[^?#]*$/, 'must have no ? or #: more is put behind it');
}

/** The address of the service: also with slashes at its end. */
export const origin = httpUrl('https://testimonials.example.com').refine(isWholeHost, {
  error:
    'must have no path and nothing after it, as https://testimonials.example.com: ' +
    'the service answers at the root of its host alone',
});

/** What is no address at all is told by another check. */
function isWholeHost(url: string): boolean {
  if (!URL.canParse(url)) return true;
  const { href, origin: wanted } = new URL(url);
  return href.replace(/\/+$/, '') === wanted;
}

export const folder = z
  .string()
  .regex(
    /^(?!~(\/|$))/,
    'must not begin with ~, which a shell alone replaces: write the whole path',
  );

const mailbox = '[^\\s@<>,;]+@[^\\s@<>,;]+';
const mailboxOrNamed = new RegExp(
  `^(?:${mailbox}|(?:"[^"\\r\\n]*"|[^"<>,;\\r\\n]*) *<${mailbox}>)$`,
);

/** Who a mail is from: an address, or a name with one in angle brackets. */
export const sender = z
  .string()
  .regex(
    mailboxOrNamed,
    'must be one e-mail address, or a name and one, as Testimonials <no-reply@example.com>; a name ' +
      'with a comma stands in quotes',
  );
