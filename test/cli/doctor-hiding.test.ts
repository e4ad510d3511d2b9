import { hiderOf } from '@/src/cli/doctor/hiding';
import { parseEnv } from '@/src/env';

/** Every variable that may hold a secret, with one in it. */
const values = {
  DATABASE_URL: 'postgresql://me:primary%23secret@host/name',
  DATABASE_READ_URLS:
    'postgresql://me:first-secret@one/name,postgresql://me:second-secret@two/name',
  REDIS_URL: 'redis://:redis-secret@host',
  SMTP_URL: 'smtp://me:smtp-secret@host',
  MAIL_FROM: 'a@example.com',
  SECRET_KEY: 'key-secret-key-secret-key-secret-key',
  METRICS_TOKEN: 'metrics-secret-token',
  CRON_SECRET: 'cron-secret-secret',
  OPENAI_API_KEY: 'openai-secret',
  S3_ENDPOINT: 'https://s3.example.com',
  S3_BUCKET: 'files',
  S3_ACCESS_KEY_ID: 'access-secret',
  S3_SECRET_ACCESS_KEY: 'storage-secret',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://me:collector-secret@localhost:4318',
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://me:traces-secret@localhost:4318/v1/traces',
  OTEL_EXPORTER_OTLP_HEADERS: 'api-key=header-secret',
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'api-key=traces-header-secret',
};

test.each(Object.entries(values))('no secret of %s is shown', (_, value) => {
  const hide = hiderOf(parseEnv(values));
  expect(hide(`The server says: ${value}, ${decodeURIComponent(value)}`)).not.toMatch(/secret/);
});

test('nothing is left of a secret in which another one stands', () => {
  const addresses = {
    DATABASE_URL: 'postgresql://me:short@host/name',
    REDIS_URL: 'redis://:shorter-longer@host',
  };
  const hide = hiderOf(parseEnv(addresses));
  expect(hide('shorter-longer, short')).toBe('…, …');
});

test('what is no secret is', () => {
  const hide = hiderOf(parseEnv(values));
  const line = 'files at https://s3.example.com, from a@example.com, by workers: 1';
  expect(hide(line)).toBe(line);
});
