/** Whether the service holds more memory after many requests than after few. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LoadClient } from './client-process';
import { residentBytes } from './cpu';
import { mixedDay } from './requests';
import type { Databases, Servers } from './servers';

const few = 20_000;
const many = 200_000;
/** For memory that is free to go back to the system. */
const settleMs = 3000;

/** Bytes after a collection of garbage, of a service of its own under a day's mix. */
export async function measureMemory(
  databases: Databases,
  servers: Servers,
  client: LoadClient,
): Promise<{ few: number; many: number }> {
  const collector = join(__dirname, 'collect-garbage.mjs');
  const service = await servers.startService(databases.large, {}, [
    '--expose-gc',
    '--import',
    collector,
  ]);
  try {
    const requests = await mixedDay(databases.large, { count: 20_000, limit: 10 });
    const after = async (count: number) => {
      const { origin, pid } = service;
      await client.run({ origin, requests, concurrency: 32, count, isStable: false });
      process.kill(pid, 'SIGUSR2');
      await sleep(settleMs);
      return residentBytes(pid);
    };
    return { few: await after(few), many: await after(many - few) };
  } finally {
    await service.stop();
  }
}
