import { existsSync, readFileSync } from 'node:fs';
import { parseEnv as parseEnvFile } from 'node:util';
import { z } from 'zod';
import {
  baseUrl,
  choice,
  databaseUrl,
  flag,
  folder,
  headers,
  headerText,
  headerToken,
  httpUrl,
  origin,
  pairs,
  proxies,
  redisUrl,
  sender,
  share,
  smtpUrl,
  urlWithoutLogin,
  wholeNumber,
} from './env-values';
import { codeOf, messageOf } from './error-parts';

export const defaultDataFolder = '.data';

export const minSecretKeyLength = 32;

const schema = z.object({
  DATABASE_URL: databaseUrl.optional(),
  /** Replicas of that server, by commas: reads go to them where they are as new as the primary. */
  DATABASE_READ_URLS: z
    .string()
    .transform((list) => list.split(',').map((url) => url.trim()))
    .refine((urls) => urls.every((url) => databaseUrl.safeParse(url).success), {
      error:
        'must be postgresql:// addresses, by commas; a comma within one is %2C, and ' +
        'socket_timeout a number of seconds',
    })
    .optional(),
  /** Connections of one instance. Small on a serverless platform, where instances are many. */
  DATABASE_POOL_SIZE: wholeNumber(1, 200).default(10),
  /** Folder of the embedded database and of the secret key that is made where none is given. */
  DATA_FOLDER: folder.default(defaultDataFolder),
  /** Encrypts signing secrets and signs sessions. */
  SECRET_KEY: z
    .string()
    .min(minSecretKeyLength, `must have at least ${minSecretKeyLength} characters`)
    .optional(),
  /** Where browsers and integrators reach the service. */
  PUBLIC_URL: origin.optional(),
  HOST: z.string().min(1).default('0.0.0.0'),
  PORT: wholeNumber(0, 65_535).default(3000),
  /** Processes that answer requests; `auto`: as many as the machine has cores for. */
  WORKERS: z
    .union(
      [z.literal('auto'), wholeNumber(1, 64, { or: 'auto or ' })],
      'must be auto or a whole number from 1 to 64',
    )
    .default(1),
  /** Which of them this is, as the service itself sets it. */
  WORKER_NUMBER: wholeNumber(1).optional(),
  /** Open at once; fewer where the process may not open so many files. */
  MAX_CONNECTIONS: wholeNumber(16, 100_000).default(4000),
  DEFAULT_PLAN: choice(['free', 'paid']).default('paid'),
  SIGN_UP: choice(['open', 'closed']).default('open'),
  /**
   * Addresses or CIDR ranges of the proxies in front, by commas. Without them, X-Forwarded-For is
   * not believed by the long-lived service, and the throttle of sign-ins sees the connection.
   */
  TRUSTED_PROXIES: proxies.optional(),
  /** Requests per account and hour. The contract's figure, for all but a private installation. */
  RATE_LIMIT_REQUESTS: wholeNumber(1).default(1000),
  /** Whether the requests of each account are kept for 7 days, for its people to look at. */
  REQUEST_LOG: choice(['on', 'off']).default('on'),
  /** Bytes that an account may store, in rows, events and uploaded files together. */
  ACCOUNT_QUOTA_BYTES: wholeNumber(1).default(10 * 1024 ** 3),
  /** How much memory answers to reads may take, to be given again until something changes. */
  CACHE_BYTES: wholeNumber(0).default(64 * 1024 ** 2),
  REDIS_URL: redisUrl.optional(),
  LOG_LEVEL: choice(['silent', 'fatal', 'error', 'warn', 'info', 'debug']).default('info'),
  ALLOW_PRIVATE_NETWORK: flag.default(false),
  /** Opens /api/metrics to whoever sends it; without it, to this machine alone. */
  METRICS_TOKEN: headerToken.optional(),
  /** Opens /api/cron to the scheduler of a platform without long-lived processes. */
  CRON_SECRET: headerToken.optional(),
  /** The server that takes mails: `smtp://` (with STARTTLS) or `smtps://`. Without it, none are sent. */
  SMTP_URL: smtpUrl.optional(),
  /** Who mails are from: an address, or a name with one in angle brackets. */
  MAIL_FROM: sender.optional(),
  /** The speech-to-text service, any that speaks OpenAI's API. Nothing is transcribed without. */
  OPENAI_API_KEY: headerText.optional(),
  /** With the version, as OpenAI's own libraries take it: `https://api.openai.com/v1`. */
  OPENAI_BASE_URL: urlWithoutLogin('https://api.openai.com/v1').optional(),
  TRANSCRIPTION_MODEL: z.string().min(1).default('whisper-1'),
  TRANSCRIPTION_DISABLED: flag.default(false),
  /** Uploaded files go to the bucket, where one is configured, else to the data folder. */
  S3_ENDPOINT: baseUrl('https://s3.eu-central-1.amazonaws.com').optional(),
  S3_BUCKET: z.string().optional(),
  S3_REGION: headerText.default('auto'),
  S3_ACCESS_KEY_ID: headerText.optional(),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  /** Where the public reaches uploaded files, with a path where there is one. */
  STORAGE_PUBLIC_URL: baseUrl('https://files.example.com').optional(),
  /** Where traces go, as OpenTelemetry names it; none are made without. */
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl('http://localhost:4318').optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: httpUrl('http://localhost:4318/v1/traces').optional(),
  OTEL_EXPORTER_OTLP_HEADERS: headers.optional(),
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: headers.optional(),
  /** Collectors take JSON and protobuf at one address; JSON is what is sent. */
  OTEL_EXPORTER_OTLP_PROTOCOL: z
    .enum(['http/json', 'http/protobuf'], 'must be http/json: grpc is not spoken')
    .optional(),
  OTEL_SERVICE_NAME: z.string().min(1).optional(),
  OTEL_RESOURCE_ATTRIBUTES: pairs.optional(),
  OTEL_TRACES_EXPORTER: choice(['otlp', 'none']).default('otlp'),
  OTEL_TRACES_SAMPLER: choice([
    'always_on',
    'always_off',
    'traceidratio',
    'parentbased_always_on',
    'parentbased_always_off',
    'parentbased_traceidratio',
  ]).default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: share.default(1),
  OTEL_SDK_DISABLED: z.string().optional(),
});

/** Half a configuration would store files where nobody looks, or send mails from nobody. */
const belongTogether = [
  ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
  ['SMTP_URL', 'MAIL_FROM'],
] as const;

const complete = schema.superRefine((values, context) => {
  if (values.DATABASE_READ_URLS && !values.DATABASE_URL) {
    const message = 'is missing; DATABASE_READ_URLS are replicas of it';
    context.addIssue({ code: 'custom', path: ['DATABASE_URL'], message });
  }
  for (const names of belongTogether) {
    const missing = names.filter((name) => values[name] === undefined);
    if (missing.length === names.length) continue;
    for (const name of missing) {
      const message = `is missing; ${names.join(', ')} belong together`;
      context.addIssue({ code: 'custom', path: [name], message });
    }
  }
});

export type Env = z.infer<typeof schema>;

let parsed: Env | undefined;

/**
 * The configuration. Read on first use and not at import, so that `next build` needs none.
 * A variable that is empty, or has nothing but white space, counts as unset.
 * @throws Error that names every variable with a bad value, and why.
 */
export function env(): Env {
  parsed ??= parseEnv(process.env);
  return parsed;
}

/**
 * Adds what stands in `.env` in the present folder to the environment, which keeps what it has. For
 * the service and the commands; a platform, and the tests, set their own.
 * @throws Error where there is one that cannot be read, is in UTF-16, or has a line that sets nothing,
 * or another that Next would read later, once half of the service has its settings
 */
export function loadEnvFile(): void {
  const { NODE_ENV: mode } = process.env;
  for (const name of ['.env.local', `.env.${mode}`, `.env.${mode}.local`]) {
    // The bundler would take the whole project for a part of every function.
    if (existsSync(/* turbopackIgnore: true */ name)) {
      throw new Error(
        `${name} is not read by all parts of the service: put what it sets into .env.`,
      );
    }
  }
  let text: string;
  try {
    // process.loadEnvFile says of a file that may not be read that there is none.
    text = readFileSync('.env', 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw new Error(`.env cannot be read: ${messageOf(error)}`);
  }
  // Of UTF-16, which some shells and editors write, no name would be one that anybody reads.
  if (text.includes('\0')) throw new Error('.env is not in UTF-8: save it so.');
  // Some editors begin a file so; Node would take it for a part of the first name.
  text = text.replace(/^\ufeff/, '');
  requireVariables(text);
  for (const [name, value] of Object.entries(parseEnvFile(text))) process.env[name] ??= value;
}

/**
 * What has no "=" would set nothing without a word, and Node 20 takes the variable after it for a part
 * of its name. The line itself may be a secret.
 */
function requireVariables(text: string): void {
  const withoutTexts = text.replace(/=[^\S\n]*(["'`])[\s\S]*?\1/g, (value) =>
    value.replace(/[^\n]/g, '='),
  );
  const lines = withoutTexts.split('\n').map((line) => line.trim());
  const at = lines.findIndex((line) => line !== '' && !line.startsWith('#') && !line.includes('='));
  if (at === -1) return;
  throw new Error(`.env, line ${at + 1}: it is neither NAME=value nor a comment, which # begins.`);
}

/** Secrets are taken as they are: white space and quotes may be a part of them. */
const untrimmed = new Set(['SECRET_KEY', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']);

/**
 * A shell and `.env` would have taken them away; what hands them on, as `docker run --env-file`, makes
 * them a part of the value, and most would be taken until they are first used.
 */
function isQuoted(name: string, value = ''): boolean {
  return !untrimmed.has(name) && /^(['"]).*\1$/s.test(value);
}

/** Pure form of `env`, for tests. */
export function parseEnv(source: Record<string, string | undefined>): Env {
  const present = Object.fromEntries(
    Object.entries(source)
      .filter(([, value]) => value?.trim() !== '')
      .map(([name, value]) => [name, untrimmed.has(name) ? value : value?.trim()]),
  );
  const quoted = Object.keys(schema.shape).filter((name) => isQuoted(name, present[name]));
  const result = complete.safeParse(present);
  if (result.success && quoted.length === 0) return result.data;
  const issues = result.error?.issues ?? [];
  const others = issues
    .map(({ path, message }) => ({ name: path.join('.'), message }))
    .filter(({ name }) => !quoted.includes(name));
  const problems = [
    ...quoted.map((name) => `  ${name}: must stand without quotes`),
    ...others.map(({ name, message }) => `  ${name}: ${message}`),
  ];
  throw new Error(`Bad configuration in the environment:\n${problems.join('\n')}`);
}

/**
 * Sets what the process found out by itself at start (the address of the embedded database, a
 * made secret key). It goes through `process.env` because Next loads its own copy of this module.
 */
export function provideEnv(values: Partial<Record<keyof Env, string>>): void {
  Object.assign(process.env, values);
  parsed = undefined;
}

/** Takes variables out of the process that a library would read behind our back. */
export function removeFromEnv(name: RegExp): void {
  for (const stray of Object.keys(process.env)) if (name.test(stray)) delete process.env[stray];
}
