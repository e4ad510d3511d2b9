/** The Redis that counts requests is late, silent or gone. */

import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { type FaultyPath, openFaultyPath } from '../../helpers/faulty-path';
import { freshDatabase } from '../../smoke/databases';
import { startService } from '../../smoke/processes';
import { createClient } from '../client';
import { noFigures, percentile, type Result } from '../report';
import { inScene } from '../scene';
import { makeTenant } from '../tenant';

const faults: [name: string, begin: (path: FaultyPath) => void, end: (path: FaultyPath) => void][] =
  [
    ['silent', (path) => path.sever(), (path) => path.mend()],
    ['late by 2 s', (path) => path.delay(2_000), (path) => path.delay(0)],
    ['gone', (path) => path.withdraw(), (path) => void path.restore()],
  ];

/** One line for each, or for the first: nobody waits for a Redis that fails, and it counts again once it is back. */
export async function failingRedis(
  server: string | undefined,
  redisUrl: string,
  { isShort }: { isShort: boolean },
) {
  const seconds = isShort ? 1 : 5;
  const database = await freshDatabase(server);
  const redis = new Redis(redisUrl);
  const results: Result[] = [];
  try {
    for (const [name, begin, end] of isShort ? faults.slice(0, 1) : faults) {
      const path = await openFaultyPath(redisUrl);
      const settings = { ...database.settings, REDIS_URL: path.url };
      const { DATABASE_URL: directUrl } = database.settings;
      const options = { settings, ...(directUrl !== undefined && { directUrl }) };
      try {
        const result = await inScene(options, async (scene) => {
          const key = `testimonials:requests:${scene.tenant.accountId}`;
          const counted = async () => Number((await redis.get(key)) ?? 0);
          const load = scene.load();
          await sleep(1_000);
          const before = await counted();
          load.latencies.length = 0;
          begin(path);
          await sleep(seconds * 1000);
          const slowest = percentile(load.latencies, 1);
          end(path);
          const mendedAt = performance.now();
          const recoverySeconds = await countsAgain(counted, mendedAt);
          return scene.finish({
            name: `Redis ${name}`,
            recoverySeconds,
            note: `slowest answer meanwhile ${slowest.toFixed(0)} ms; recovered when it counts again`,
            problems: [
              ...(before > 0 ? [] : ['never counted in Redis']),
              ...(load.counts.serverErrors + load.counts.unanswered === 0
                ? []
                : ['requests failed']),
            ],
          });
        });
        results.push(result);
      } finally {
        await path.close();
      }
    }
  } finally {
    redis.disconnect();
    await database.remove();
  }
  return results;
}

async function countsAgain(counted: () => Promise<number>, from: number) {
  const before = await counted();
  while (performance.now() - from < 30_000) {
    // A single command may have been on its way all the time.
    if ((await counted()) > before + 5) return (performance.now() - from) / 1000;
    await sleep(50);
  }
  return undefined;
}

const allowed = 100;

/** Two instances that have just started, before a Redis that is slow to reach, allow what one would. */
export async function firstRequests(server: string, redisUrl: string): Promise<Result> {
  const database = await freshDatabase(server);
  const path = await openFaultyPath(redisUrl);
  path.delay(100);
  try {
    const settings = {
      ...database.settings,
      REDIS_URL: path.url,
      RATE_LIMIT_REQUESTS: String(allowed),
    };
    const first = await startService(settings);
    const { key } = await makeTenant(() => first.port);
    // Its making has asked once.
    const second = await startService(settings);
    await first.end('SIGTERM');
    const third = await startService(settings);
    const clients = [second, third].map(({ port }) => createClient(() => port));
    const statuses: number[] = [];
    while (statuses.length < allowed + 20) {
      const authorization = `Bearer ${key}`;
      const asks = clients.map((client) =>
        client.send({ path: '/api/v1/spaces', headers: { authorization } }),
      );
      statuses.push(...(await Promise.all(asks)).map(({ status }) => status));
    }
    const passed = statuses.filter((status) => status === 200).length;
    for (const client of clients) client.close();
    await Promise.all([second, third].map((service) => service.end('SIGTERM')));
    return {
      ...noFigures,
      name: 'Redis late by 100 ms at the start of two instances',
      requests: statuses.length,
      wrong: Math.abs(allowed - 1 - passed),
      recoverySeconds: null,
      note: `${passed + 1} of ${allowed} allowed`,
      problems: [],
    };
  } finally {
    await path.close();
    await database.remove();
  }
}
