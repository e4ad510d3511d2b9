import assert from 'node:assert/strict';
import { openEmbedded } from '../../../src/database/embedded/open';
import { freshDatabase } from '../../smoke/databases';
import { startServiceInVain } from '../../smoke/processes';
import { readRows } from '../ledger';
import type { Result } from '../report';
import { inScene } from '../scene';

/** A migration fails because of what stands in its way; with that gone, the next start goes on. */
export async function failedMigration(server: string | undefined): Promise<Result> {
  const { settings, folder, remove } = await freshDatabase(server);
  const { DATABASE_URL: directUrl } = settings;
  const run = async (sql: string) => {
    if (directUrl) return readRows(directUrl, sql);
    const database = await openEmbedded({ folder, isServed: false });
    try {
      return await readRows(database.url, sql);
    } finally {
      await database.close();
    }
  };
  try {
    await run('CREATE TABLE testimonials (in_the_way int)');
    const { code, said } = await startServiceInVain(settings);
    assert.equal(code, 1, said);
    const [line = ''] = said.split('\n');
    await run('DROP TABLE testimonials');
    const mendedAt = performance.now();
    const options = { settings, ...(directUrl !== undefined && { directUrl }) };
    return await inScene(options, async (scene) => {
      const startSeconds = (performance.now() - mendedAt) / 1000;
      const recoverySeconds = await scene.load().recovered(performance.now());
      return scene.finish({
        name: `failed migration, ${server ? 'server' : 'embedded database'}`,
        recoverySeconds,
        note: `exit ${code}; next start and first requests ${startSeconds.toFixed(1)} s`,
        problems: /^The migration \S+ failed: .*already exists/.test(line) ? [] : [`said: ${line}`],
      });
    });
  } finally {
    await remove();
  }
}
