/** Clocks of the service that are not those of the database. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freshDatabase } from '../../smoke/databases';
import { type Settings, startService } from '../../smoke/processes';
import type { Result } from '../report';
import { inScene, settingsOfAll } from '../scene';

const hourMs = 3_600_000;

/** Two instances on one database, one of which is an hour ahead of it and the other an hour behind. */
export async function wrongClocks(server: string): Promise<Result> {
  const { settings, remove } = await freshDatabase(server);
  const { DATABASE_URL: directUrl = '' } = settings;
  const behind = await startService({ ...settingsOfAll, ...settings, ...clock(-hourMs) });
  try {
    const ahead = { ...settings, ...clock(hourMs) };
    return await inScene({ settings: ahead, directUrl, endpoints: 2 }, async (scene) => {
      const load = scene.load();
      const other = scene.load({ port: () => behind.port });
      const recoverySeconds = Math.max(
        ...(await Promise.all([load, other].map((one) => one.recovered(performance.now())))).map(
          (seconds) => seconds ?? Number.POSITIVE_INFINITY,
        ),
      );
      await sleep(2_000);
      return scene.finish({
        name: 'clocks an hour ahead and an hour behind, two instances',
        recoverySeconds: Number.isFinite(recoverySeconds) ? recoverySeconds : undefined,
        note: 'by the clock of the service; that of the database is right',
      });
    });
  } finally {
    await behind.end('SIGKILL');
    await remove();
  }
}

function clock(offsetMs: number): Settings {
  return {
    NODE_OPTIONS: `--require ${join(__dirname, 'shifted-clock.cjs')}`,
    CLOCK_OFFSET_MS: String(offsetMs),
  };
}
