/** The way to a Postgres server fails, and its connections are killed. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { openFaultyPath } from '../../helpers/faulty-path';
import { freshDatabase } from '../../smoke/databases';
import type { Result } from '../report';
import { inScene, type Scene } from '../scene';

/** Lets the scene run through a path that can fail. */
async function byPath(
  server: string,
  act: (scene: Scene, path: Awaited<ReturnType<typeof openFaultyPath>>) => Promise<Result>,
): Promise<Result> {
  const database = await freshDatabase(server);
  const directUrl = database.settings.DATABASE_URL ?? '';
  const path = await openFaultyPath(directUrl);
  try {
    const settings = { ...database.settings, DATABASE_URL: path.url };
    return await inScene({ settings, directUrl }, (scene) => act(scene, path));
  } finally {
    await path.close();
    await database.remove();
  }
}

/** Packets are lost on the sockets that are open; new ones work. The fault ends as it begins. */
export function swallowedPackets(server: string): Promise<Result> {
  return byPath(server, async (scene, path) => {
    const load = scene.load({ clients: 8 });
    await sleep(1_500);
    path.swallow();
    const recoverySeconds = await load.recovered(performance.now());
    return scene.finish({ name: 'packets swallowed on open sockets', recoverySeconds });
  });
}

/** New ones are swallowed as well, for longer than the service waits for an answer. */
export function severedPath(server: string, seconds: number): Promise<Result> {
  return byPath(server, async (scene, path) => {
    const load = scene.load({ clients: 8 });
    await sleep(1_500);
    path.sever();
    await sleep(seconds * 1000);
    path.mend();
    const recoverySeconds = await load.recovered(performance.now());
    return scene.finish({ name: `no way to the database for ${seconds} s`, recoverySeconds });
  });
}

export async function killedConnections(server: string, seconds: number): Promise<Result> {
  const database = await freshDatabase(server);
  const directUrl = database.settings.DATABASE_URL ?? '';
  const admin = new Client({ connectionString: directUrl });
  try {
    return await inScene({ settings: database.settings, directUrl }, async (scene) => {
      const load = scene.load({ clients: 8 });
      await admin.connect();
      let killed = 0;
      const endAt = performance.now() + seconds * 1000;
      while (performance.now() < endAt) {
        const { rows } = await admin.query(
          `SELECT count(pg_terminate_backend(pid))::int AS killed FROM pg_stat_activity
           WHERE datname = current_database() AND pid <> pg_backend_pid()`,
        );
        killed += rows[0].killed;
        await sleep(100);
      }
      const recoverySeconds = await load.recovered(performance.now());
      return scene.finish({
        name: 'pooled connections killed',
        recoverySeconds,
        note: `${killed} killed in ${seconds} s`,
        problems: killed === 0 ? ['nothing was killed'] : [],
      });
    });
  } finally {
    await admin.end();
    await database.remove();
  }
}
