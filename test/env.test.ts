import { parseEnv } from '@/src/env';

const messageOf = (source: Record<string, string>): string => {
  try {
    parseEnv(source);
  } catch (error) {
    return String(error);
  }
  return '';
};

/** A value that is wrong for each variable that can be wrong. */
const wrong = {
  DATABASE_URL: 'mysql://user:database-password@host/db',
  DATABASE_READ_URLS: 'postgresql://replica/db,mysql://user:replica-password@host/db',
  DATABASE_POOL_SIZE: '0',
  SECRET_KEY: 'too-short-secret',
  PUBLIC_URL: 'ftp://example.com',
  PORT: '65536',
  TRUSTED_PROXIES: '10.0.0.1,proxy.internal',
  DEFAULT_PLAN: 'gold',
  SIGN_UP: 'maybe',
  REDIS_URL: 'http://:redis-password@host',
  SMTP_URL: 'http://:smtp-password@host',
  MAIL_FROM: 'nobody',
  LOG_LEVEL: 'loud',
  ALLOW_PRIVATE_NETWORK: 'yes',
};

test('without any variable there are defaults', () => {
  expect(parseEnv({})).toMatchObject({
    DATABASE_POOL_SIZE: 10,
    DATA_FOLDER: '.data',
    PORT: 3000,
    DEFAULT_PLAN: 'paid',
    SIGN_UP: 'open',
    LOG_LEVEL: 'info',
    ALLOW_PRIVATE_NETWORK: false,
  });
});

test('an empty variable counts as unset', () => {
  const empty = Object.fromEntries(Object.keys(wrong).map((name) => [name, '']));
  expect(parseEnv(empty)).toEqual(parseEnv({}));
});

test('one of white space alone does too: it is no port 0', () => {
  const blank = Object.fromEntries(
    [...Object.keys(wrong), 'CACHE_BYTES'].map((name) => [name, ' ']),
  );
  expect(parseEnv(blank)).toEqual(parseEnv({}));
});

test.each([
  ['OPENAI_API_KEY', '“sk-123”'],
  ['METRICS_TOKEN', 'ä'.repeat(16)],
  ['METRICS_TOKEN', 'x'.repeat(15)],
  ['CRON_SECRET', 'x'.repeat(15)],
  ['CRON_SECRET', `${'x'.repeat(16)}\n${'x'.repeat(16)}`],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'a-key-without-a-name'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'api key=1'],
  ['OTEL_EXPORTER_OTLP_TRACES_HEADERS', 'api-key=1%0A2'],
  ['OTEL_RESOURCE_ATTRIBUTES', 'team=a,=b'],
  ['DATABASE_URL', 'postgresql://host/db?socket_timeout=5s'],
  ['SMTP_URL', 'smtp://'],
])('%s=%s, which would fail when it is first used, is refused', (name, value) => {
  const message = messageOf({ MAIL_FROM: 'a@example.com', SMTP_URL: 'smtp://host', [name]: value });
  expect(message).toMatch(new RegExp(`^Error: .*\n +${name}: .+$`));
});

test.each([
  ['REDIS_URL', 'redis:x', /must be a redis:\/\/ or rediss:\/\/ address/],
  ['REDIS_URL', 'redis://', /must be a redis:\/\/ or rediss:\/\/ address/],
  ['DATABASE_URL', 'postgresql:', /must be a postgresql:\/\/ address/],
  ['DATABASE_URL', 'postgresql://', /must name a host/],
  ['DATABASE_URL', 'postgresql:///name', /must name a host/],
  ['DATABASE_URL', 'postgresql://me:a@one:5432,two:5432/name', /must name one host/],
  [
    'DATABASE_URL',
    'postgresql://one,two/name?target_session_attrs=read-write',
    /must name one host/,
  ],
  ['DATABASE_URL', 'postgresql:///name?host=one,two', /must name one host/],
  ['DATABASE_URL', 'postgresql://host:54x2/name', /must have a port from 0 to 65535/],
  ['DATABASE_URL', 'postgresql://me:a:b@host:65536/name?a=b', /must have a port from 0 to 65535/],
  ['DATABASE_URL', 'postgresql://me@[::1]:port', /must have a port from 0 to 65535/],
  ['REDIS_URL', 'redis://:a@host:port/0', /must have a port from 0 to 65535/],
  ['SMTP_URL', 'smtps://me:a@host:465o', /must have a port from 0 to 65535/],
  ['DATABASE_URL', 'postgresql://me:a#b@host/name', /percent-encode # \/ \? %/],
  ['DATABASE_URL', 'postgresql://me:a#b@host:port/name', /percent-encode # \/ \? %/],
  ['DATABASE_URL', 'postgresql://me:a/b@host/name', /percent-encode # \/ \? %/],
  ['DATABASE_URL', 'postgresql://me:a?b@host/name', /percent-encode # \/ \? %/],
  ['DATABASE_URL', 'postgresql://me:1#b@host/name', /percent-encode # \/ \? %/],
  ['DATABASE_URL', 'postgresql://me:1/b@host/name', /percent-encode # \/ \? %/],
  ['DATABASE_URL', 'postgresql://me:a%b@host/name', /percent-encode # \/ \? %/],
  ['DATABASE_URL', 'postgresql://me:1?b@host/name', /percent-encode # \/ \? %/],
  ['DATABASE_URL', 'postgresql://m%e:a@host/name', /percent-encode # \/ \? %/],
  ['DATABASE_URL', 'postgresql://me:a@host/na%me', /percent-encode # \/ \? %/],
  ['DATABASE_URL', 'postgresql://host/db?socket_timeout=Infinity', /socket_timeout/],
  ['DATABASE_URL', 'postgresql://host/db?socket_timeout=-1', /socket_timeout/],
  ['SMTP_URL', 'https://mail.example.com', /must be an smtp:\/\/ or smtps:\/\/ address/],
  ['SMTP_URL', 'smtp://', /must be an smtp:\/\/ or smtps:\/\/ address/],
  ['SMTP_URL', 'smtps://me:a/b@host:465', /percent-encode # \/ \? %/],
  ['SMTP_URL', 'smtps://me:1/b@host:465', /percent-encode # \/ \? %/],
  ['SMTP_URL', 'smtps://me:1#b@host:465', /percent-encode # \/ \? %/],
  ['SMTP_URL', 'smtps://me:1?b@host:465', /percent-encode # \/ \? %/],
  ['SMTP_URL', 'smtps://me@example.com:1/b@host:465', /percent-encode # \/ \? %/],
  ['REDIS_URL', 'redis://:a/b@host:6379', /percent-encode # \/ \? %/],
  ['REDIS_URL', 'redis://:1#b@host:6379', /percent-encode # \/ \? %/],
  ['REDIS_URL', 'redis://:a%b@host:6379', /percent-encode # \/ \? %/],
  ['REDIS_URL', 'redis://host:6379/testimonials', /the number of a database as its path, or none/],
  ['REDIS_URL', 'redis://host:6379/?db=testimonials', /the number of a database as its path/],
  ['DATABASE_POOL_SIZE', 'many', /must be a whole number from 1 to 200/],
  ['DATABASE_POOL_SIZE', '0x10', /must be a whole number from 1 to 200/],
  ['DATABASE_POOL_SIZE', '1.5', /must be a whole number from 1 to 200/],
  ['WORKERS', 'many', /must be auto or a whole number from 1 to 64/],
  ['WORKERS', '65', /must be auto or a whole number from 1 to 64/],
  ['PORT', '-1', /must be a whole number from 0 to 65535/],
  ['CACHE_BYTES', '64M', /must be a whole number of at least 0/],
  ['OTEL_TRACES_SAMPLER_ARG', '2', /must be a number from 0 to 1/],
  ['SIGN_UP', 'no', /must be open or closed/],
  ['LOG_LEVEL', 'loud', /must be silent, fatal, .* or debug/],
  ['DATA_FOLDER', '"/var/lib/data"', /must stand without quotes/],
  ['DATA_FOLDER', '~/data', /must not begin with ~/],
  ['MAIL_FROM', 'a@example.com, b@example.com', /must be one e-mail address/],
  ['MAIL_FROM', 'a@example.com b@example.com', /must be one e-mail address/],
  ['MAIL_FROM', 'Acme, Inc. <a@example.com>', /must be one e-mail address/],
  ['MAIL_FROM', 'Acme <a@example.com', /must be one e-mail address/],
  ['S3_ENDPOINT', 's3.example.com', /must be an http:\/\/ or https:\/\/ address, as https/],
  ['S3_ENDPOINT', 'https://me:secret@s3.example.com', /must have no user name or password/],
  ['S3_ENDPOINT', 'https://me@s3.example.com', /must have no user name or password/],
  ['OPENAI_BASE_URL', 'https://me:secret@host/v1', /must have no user name or password/],
  ['S3_REGION', '“eu-central-1”', /a header may have/],
  ['S3_ACCESS_KEY_ID', 'id\n', /a header may have/],
  ['S3_BUCKET', "'files'", /must stand without quotes/],
  ['STORAGE_PUBLIC_URL', 'https://files.example.com/?a=1', /must have no \? or #/],
  ['STORAGE_PUBLIC_URL', 'https://files.example.com/#a', /must have no \? or #/],
  ['STORAGE_PUBLIC_URL', 'https://me:secret@files.example.com', /must have no user name/],
])('%s=%s is refused in one line that says how it could be', (name, value, words) => {
  const others = {
    SMTP_URL: 'smtp://host',
    MAIL_FROM: 'a@example.com',
    S3_ENDPOINT: 'https://s3.example.com',
    S3_BUCKET: 'files',
    S3_ACCESS_KEY_ID: 'id',
    S3_SECRET_ACCESS_KEY: 'secret',
  };
  const [, ...lines] = messageOf({ ...others, [name]: value }).split('\n');
  expect(lines).toEqual([expect.stringMatching(new RegExp(`^  ${name}: `))]);
  expect(lines[0]).toMatch(words);
});

test.each([
  ['DATABASE_URL', 'postgresql://me:a%23b%40c@host:6432/name?pgbouncer=true'],
  ['DATABASE_URL', 'postgresql:///name?host=/var/run/postgresql'],
  ['DATABASE_URL', 'postgresql://%2Fvar%2Frun%2Fpostgresql/name'],
  ['DATABASE_URL', 'postgres://host/name'],
  ['DATABASE_URL', 'postgresql://me:a,b@host/na,me'],
  ['DATABASE_URL', 'postgresql://me:a@host/na@me?application_name=a@b'],
  ['METRICS_TOKEN', 'x'.repeat(16)],
  ['DATA_FOLDER', "/var/lib/it's ~/here"],
  ['MAIL_FROM', 'no-reply@localhost'],
  ['MAIL_FROM', 'Testimonials <no-reply@example.com>'],
  ['MAIL_FROM', '"Acme, Inc." <no-reply@example.com>'],
  ['REDIS_URL', 'rediss://:secret@host:6380/1'],
  ['REDIS_URL', 'redis://:a%2Fb%40c@[::1]:6379/1'],
  ['REDIS_URL', 'redis://host/?family=6'],
  ['SMTP_URL', 'smtps://me@example.com:a%2Fb+c=%23@host:465?ignoreTLS=true'],
  ['SMTP_URL', 'smtp://me:50%25%off@host:587'],
  ['STORAGE_PUBLIC_URL', 'https://files.example.com/bucket/'],
])('%s=%s is taken as it is', (name, value) => {
  const settings: Record<string, unknown> = parseEnv({
    SMTP_URL: 'smtp://host',
    MAIL_FROM: 'a@b',
    [name]: value,
  });
  expect(settings[name]).toBe(value);
});

// As `docker run --env-file` hands on what stands in quotes for a shell, systemd and `.env`.
test.each([
  ['DATABASE_URL', 'postgresql://host/name'],
  ['PORT', '3000'],
  ['HOST', '127.0.0.1'],
  ['METRICS_TOKEN', 'x'.repeat(16)],
  ['MAIL_FROM', 'no-reply@example.com'],
  ['MAIL_FROM', 'Testimonials <no-reply@example.com>'],
  ['OPENAI_API_KEY', 'key'],
  ['S3_REGION', 'eu-central-1'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'a=b'],
])(
  '%s=%s in quotes is refused for these alone, since they would be a part of it',
  (name, value) => {
    const others = { SMTP_URL: 'smtp://host', MAIL_FROM: 'a@example.com' };
    for (const quote of ['"', "'"]) {
      const message = messageOf({ ...others, [name]: `${quote}${value}${quote}` });
      expect(message.split('\n').slice(1)).toEqual([`  ${name}: must stand without quotes`]);
    }
  },
);

// Without them it would be another one, with which nothing opens that was sealed.
test('a secret key that has always had quotes keeps them', () => {
  const key = `'${'x'.repeat(32)}'`;
  expect(parseEnv({ SECRET_KEY: key }).SECRET_KEY).toBe(key);
});

test('white space around a value is none of it, but for secrets', () => {
  const SECRET_KEY = ` ${'k'.repeat(32)} `;
  expect(parseEnv({ SIGN_UP: 'closed ', WORKERS: ' 2', PORT: '81\n', SECRET_KEY })).toMatchObject({
    SIGN_UP: 'closed',
    WORKERS: 2,
    PORT: 81,
    SECRET_KEY,
  });
});

test('a secret out of a file may end with the line, and a list with a comma', () => {
  const settings = parseEnv({
    OPENAI_API_KEY: 'sk-123\n',
    METRICS_TOKEN: `${'x'.repeat(16)}\n`,
    OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%20b, other=c=d,',
    DATABASE_URL: 'postgresql://host/db?socket_timeout=0.5',
  });
  expect(settings).toMatchObject({
    OPENAI_API_KEY: 'sk-123',
    METRICS_TOKEN: 'x'.repeat(16),
    OTEL_EXPORTER_OTLP_HEADERS: { 'api-key': 'a b', other: 'c=d' },
  });
});

test('every bad variable is named at once, each with a reason', () => {
  const message = messageOf(wrong);
  for (const name of Object.keys(wrong)) {
    expect(message).toMatch(new RegExp(`^ +${name}: \\S+`, 'm'));
  }
});

test('the values themselves, which may be secret, are not repeated', () => {
  expect(messageOf(wrong)).not.toMatch(/password|too-short-secret/);
});

test.each(Object.entries(wrong))('%s=%s is refused alone', (name, value) => {
  expect(messageOf({ [name]: value })).toContain(`${name}:`);
});

test.each([
  'https://example.com/testimonials',
  'https://example.com/testimonials/',
  'https://example.com?tenant=1',
  'https://example.com/#top',
  'https://user:word@example.com',
])('PUBLIC_URL=%s is refused: nothing is served below it', (url) => {
  expect(messageOf({ PUBLIC_URL: url })).toMatch(/PUBLIC_URL: must have no path/);
});

test.each([
  'https://example.com',
  'https://example.com/',
  'https://example.com//',
  'HTTPS://Example.com:443',
  'http://[::1]:3000/',
])('PUBLIC_URL=%s is taken as it is written', (url) => {
  expect(parseEnv({ PUBLIC_URL: url }).PUBLIC_URL).toBe(url);
});

test('a bad proxy is told by the variable and by what it takes', () => {
  for (const value of ['proxy.internal', '10.0.0.0/33', '10.0.0.1,', '10.0.0.1:80']) {
    expect(messageOf({ TRUSTED_PROXIES: value })).toMatch(
      /TRUSTED_PROXIES: must be IP addresses or CIDR ranges, by commas/,
    );
  }
  const { TRUSTED_PROXIES } = parseEnv({ TRUSTED_PROXIES: '10.0.0.5, 2001:db8::/32' });
  expect(TRUSTED_PROXIES).toEqual(['10.0.0.5', '2001:db8::/32']);
});

test.each(['1', '0', 'no', 'TRUE', 'on'])('a flag is true or false, not %j', (value) => {
  expect(messageOf({ ALLOW_PRIVATE_NETWORK: value })).toContain('ALLOW_PRIVATE_NETWORK');
});

test('replicas are named by commas, and belong to a server', () => {
  const DATABASE_READ_URLS = 'postgresql://one/db, postgres://two/db';
  const { DATABASE_READ_URLS: urls } = parseEnv({
    DATABASE_URL: 'postgresql://primary/db',
    DATABASE_READ_URLS,
  });
  expect(urls).toEqual(['postgresql://one/db', 'postgres://two/db']);
  expect(messageOf({ DATABASE_READ_URLS })).toContain('DATABASE_URL: is missing');
});

test('unknown variables are none of ours', () => {
  expect(() => parseEnv({ PATH: '/bin', UNKNOWN: 'x' })).not.toThrow();
});
