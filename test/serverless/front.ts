import { after } from '../helpers/next-server';
import { createPlatform, type Platform } from './platform';

/** What a test may have set for the service; nothing else of this process reaches a function. */
const settingNames =
  /^(?:DATABASE_URL|SECRET_KEY|PUBLIC_URL|CRON_SECRET|DATA_FOLDER|DEFAULT_PLAN|LOG_LEVEL|REQUEST_LOG|RATE_LIMIT_REQUESTS|ACCOUNT_QUOTA_BYTES|CACHE_BYTES|ALLOW_PRIVATE_NETWORK|SMTP_URL|MAIL_FROM|(?:OPENAI|TRANSCRIPTION|S3|STORAGE)_[A-Z_]+)$/;

/** A pool of one: whoever asks for a second connection while it holds one waits in vain. */
const poolSize = '1';

/** The settings of a function: those of this process, with the Redis of TEST_REDIS_URL. */
export function functionSettings(): Record<string, string> {
  const settings = Object.entries(process.env).flatMap(([name, value]) =>
    settingNames.test(name) && value ? [[name, value]] : [],
  );
  return {
    ...Object.fromEntries(settings),
    DATABASE_POOL_SIZE: poolSize,
    REDIS_URL: process.env.TEST_REDIS_URL ?? '',
  };
}

let platform: Platform | undefined;

/** Sends a request to the built functions. The tests' `settled` waits for what it leaves to be done. */
export async function throughFunctions(path: string, init: RequestInit): Promise<Response> {
  platform ??= createPlatform({
    deployment: { folder: process.env.TEST_FUNCTIONS ?? '' },
    environment: functionSettings,
    requestsPerInstance: Number(process.env.REQUESTS_PER_INSTANCE ?? 1),
    leavesOutbox: true,
  });
  const { response, finished } = await platform.fetch(path, init);
  after(async () => {
    await finished;
  });
  return response;
}

export async function stopFunctions(): Promise<void> {
  await platform?.close();
  platform = undefined;
}
