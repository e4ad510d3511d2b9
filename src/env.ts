import { z } from 'zod';

/** `true`/`false`, nothing else: `"0"` or `"no"` would be read differently by different people. */
const flag = z.enum(['true', 'false']).transform((value) => value === 'true');

export const defaultDataFolder = '.data';

const port = z.coerce.number('must be a number').int('must be a whole number').min(0).max(65_535);

const schema = z.object({
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'must be a postgresql:// address' })
    .optional(),
  /** Connections of one instance. Small on a serverless platform, where instances are many. */
  DATABASE_POOL_SIZE: z.coerce.number().int().min(1).max(200).default(10),
  /** Folder of the embedded database and of the secret key that is made where none is given. */
  DATA_FOLDER: z.string().min(1).default(defaultDataFolder),
  /** Encrypts signing secrets and signs sessions. */
  SECRET_KEY: z.string().min(32, 'must have at least 32 characters').optional(),
  /** Where browsers and integrators reach the service, without a path. */
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  HOST: z.string().min(1).default('0.0.0.0'),
  PORT: port.default(3000),
  /** Open at once; fewer where the process may not open so many files. */
  MAX_CONNECTIONS: z.coerce.number().int().min(16).max(100_000).default(4000),
  DEFAULT_PLAN: z.enum(['free', 'paid']).default('paid'),
  SIGN_UP: z.enum(['open', 'closed']).default('open'),
  /**
   * Addresses or CIDR ranges of the proxies in front, by commas. Without them, X-Forwarded-For is
   * not believed by the long-lived service, and the throttle of sign-ins sees the connection.
   */
  TRUSTED_PROXIES: z
    .string()
    .transform((list) => list.split(',').map((entry) => entry.trim()))
    .pipe(z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])))
    .optional(),
  /** Requests per account and hour. The contract's figure, for all but a private installation. */
  RATE_LIMIT_REQUESTS: z.coerce.number().int().min(1).default(1000),
  /** Bytes that an account may store, in rows, events and uploaded files together. */
  ACCOUNT_QUOTA_BYTES: z.coerce
    .number()
    .int()
    .min(1)
    .default(10 * 1024 ** 3),
  /** How much memory answers to reads may take, to be given again until something changes. */
  CACHE_BYTES: z.coerce
    .number()
    .int()
    .min(0)
    .default(64 * 1024 ** 2),
  REDIS_URL: z.url({ protocol: /^rediss?$/ }).optional(),
  LOG_LEVEL: z.enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug']).default('info'),
  ALLOW_PRIVATE_NETWORK: flag.default(false),
  /** Opens /api/cron to the scheduler of a platform without long-lived processes. */
  CRON_SECRET: z.string().min(16, 'must have at least 16 characters').optional(),
  /** The speech-to-text service, any that speaks OpenAI's API. Nothing is transcribed without. */
  OPENAI_API_KEY: z.string().min(1).optional(),
  /** With the version, as OpenAI's own libraries take it: `https://api.openai.com/v1`. */
  OPENAI_BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
  TRANSCRIPTION_MODEL: z.string().min(1).default('whisper-1'),
  TRANSCRIPTION_DISABLED: flag.default(false),
  /** Uploaded files go to the bucket, where one is configured, else to the data folder. */
  S3_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  S3_BUCKET: z.string().min(1).optional(),
  S3_REGION: z.string().min(1).default('auto'),
  S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  /** Where the public reaches uploaded files, with a path where there is one. */
  STORAGE_PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
});

/** S3_… stand together or not at all: half a configuration would store files where nobody looks. */
const complete = schema.superRefine((values, context) => {
  const s3 = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const;
  const missing = s3.filter((name) => values[name] === undefined);
  if (missing.length === s3.length) return;
  for (const name of missing) {
    const message = `is missing; ${s3.join(', ')} belong together`;
    context.addIssue({ code: 'custom', path: [name], message });
  }
});

export type Env = z.infer<typeof schema>;

let parsed: Env | undefined;

/**
 * The configuration. Read on first use and not at import, so that `next build` needs none.
 * An empty variable counts as unset.
 * @throws Error that names every variable with a bad value, and why.
 */
export function env(): Env {
  parsed ??= parseEnv(process.env);
  return parsed;
}

/**
 * Adds what stands in `.env` in the present folder to the environment, which keeps what it has. For
 * the service and the commands; a platform, and the tests, set their own.
 */
export function loadEnvFile(): void {
  try {
    process.loadEnvFile();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}

/** Pure form of `env`, for tests. */
export function parseEnv(source: Record<string, string | undefined>): Env {
  const present = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''));
  const result = complete.safeParse(present);
  if (result.success) return result.data;
  const problems = result.error.issues.map(
    (issue) => `  ${issue.path.join('.')}: ${issue.message}`,
  );
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
