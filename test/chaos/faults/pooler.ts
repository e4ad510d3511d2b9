/** PgBouncer in front of a database that lives in another time zone. */
import { setTimeout as sleep } from 'node:timers/promises';
import { freshDatabase } from '../../smoke/databases';
import { readRows } from '../ledger';
import type { Result } from '../report';
import { inScene } from '../scene';
import { startPgBouncer } from '../servers';

/** Further from UTC than the hour for which the tenant's key works. */
const zone = 'Pacific/Kiritimati';

/** Undefined where PgBouncer is not installed. */
export async function pooler(server: string, seconds: number): Promise<Result | undefined> {
  const database = await freshDatabase(server);
  const directUrl = database.settings.DATABASE_URL ?? '';
  const name = new URL(directUrl).pathname.slice(1);
  await readRows(directUrl, `ALTER DATABASE ${name} SET timezone TO '${zone}'`);
  let bouncer = await startPgBouncer(directUrl);
  try {
    if (!bouncer) return undefined;
    const { port } = bouncer;
    const settings = { ...database.settings, DATABASE_URL: bouncer.url };
    return await inScene({ settings, directUrl }, async (scene) => {
      const load = scene.load({ clients: 8 });
      await sleep(2_000);
      await bouncer?.stop();
      await sleep(seconds * 1000);
      bouncer = await startPgBouncer(directUrl, port);
      const recoverySeconds = await load.recovered(performance.now());
      const [row] = await readRows(
        directUrl,
        `SELECT count(*) FILTER (WHERE abs(extract(epoch FROM now() - created_at)) > 300)::int AS off,
                current_setting('timezone') AS zone FROM testimonials`,
      );
      return scene.finish({
        name: 'PgBouncer killed and started again, database in another time zone',
        recoverySeconds,
        note: `${row.zone}, gone for ${seconds} s`,
        problems: row.off > 0 ? [`${row.off} rows with a wrong time`] : [],
      });
    });
  } finally {
    await bouncer?.stop();
    await database.remove();
  }
}
