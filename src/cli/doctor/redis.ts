import type { Redis } from 'ioredis';
import type { Env } from '../../env';
import { codeOf, reasonOf } from '../../error-parts';
import { countProbe } from '../../rate-limit/counter';
import { connectRedis } from '../../rate-limit/redis';
import { refusalAfter, refusalIn } from '../../rate-limit/redis-refusal';
import { within } from '../../time-limit';
import { bad, type Finding, type Mends, mendBy, well } from './finding';

const about = 'Redis';

/** Connects to it, for so long at most, and counts as the service does. */
export async function lookAtRedis({ REDIS_URL }: Env, answerMs: number): Promise<Finding> {
  if (!REDIS_URL) return well(about, 'not set: each instance counts for itself');
  const redis = connectRedis(REDIS_URL);
  try {
    await readiness(redis, answerMs);
  } catch (error) {
    // Before the next try, which may fail by something else.
    redis.disconnect();
    const reason = (await refusalAfter(error, redis)) ?? reasonOf(error);
    return bad(about, `not reached: ${reason}`, mendingOf(`${codeOf(error)} ${reason}`));
  }
  try {
    await countProbe(redis);
    return well(about, 'answers, and counts');
  } catch (error) {
    const reason = reasonOf(refusalIn(error));
    const mend = 'Name one in REDIS_URL that takes writes, with a user that may.';
    return bad(about, `does not count: ${reason}`, mendingOf(reason, mend));
  } finally {
    redis.disconnect();
  }
}

/** The driver waits without end for one that reads its data from the disk. */
function readiness(redis: Redis, answerMs: number): Promise<void> {
  const ready = new Promise<void>((resolve, reject) => {
    redis.once('ready', resolve).once('error', reject);
  });
  return within(answerMs, ready, () => {
    throw new Error(notReady);
  });
}

const notReady = 'it was not ready in time';

const meanwhile = 'Until then each process counts alone.';

function mendingOf(text: string, otherwise = 'Check REDIS_URL, and that the server runs.'): string {
  return `${mendBy(mendRedis, text, otherwise)} ${meanwhile}`;
}

const mendRedis: Mends = [
  [/DENIED/, 'Have it want a password, and name that in REDIS_URL: redis://:password@host:6379.'],
  [/NOAUTH|WRONGPASS/, 'Check user and password in REDIS_URL.'],
  [
    new RegExp(notReady),
    'Try again once it has read its data, of which its log tells. With TLS it wants rediss://, without redis://.',
  ],
  [/^OOM/, 'Give it more memory (maxmemory), or have it let go of keys (maxmemory-policy).'],
  [/^MISCONF/, 'See to its disk, of which its log tells.'],
  [/BUSY/, 'End the script that it runs (SCRIPT KILL).'],
  [/DB index/, 'Name a database in REDIS_URL that it has (databases).'],
  [/max number of clients/, 'Let it take more clients (maxclients), or end some.'],
  [
    /CERT|VERIFY/,
    'Name the server in REDIS_URL as its certificate does; where an authority of your own signed it, ' +
      'start with NODE_EXTRA_CA_CERTS=/path/to/its.pem.',
  ],
  [
    /EPIPE|ECONNRESET|ECONNABORTED|ETIMEDOUT|ERR_SSL/,
    'Check REDIS_URL, and that the server runs: with TLS it wants rediss://, without redis://.',
  ],
];
