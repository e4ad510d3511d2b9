import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOnServer } from '../database/query';
import type { Settings } from './processes';

/** A database with nothing in it, and the settings that make a service use it. */
export type FreshDatabase = { settings: Settings; folder: string; remove(): Promise<void> };

/** Embedded in a new folder, or new on the server. */
export async function freshDatabase(server: string | undefined): Promise<FreshDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'testimonials-smoke-'));
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  if (!server) {
    const settings = { DATA_FOLDER: folder, LOG_LEVEL: 'info' };
    return { settings, folder, remove: async () => removeFolder() };
  }
  const { url, close } = await createOnServer(server, 'smoke');
  return {
    settings: { DATA_FOLDER: folder, LOG_LEVEL: 'info', DATABASE_URL: url },
    folder,
    remove: async () => {
      removeFolder();
      await close();
    },
  };
}
