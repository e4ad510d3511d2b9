import type { BrowserServer } from 'playwright-core';
import { findEmbedded } from '../../src/database/embedded/open';
import { startBrowser } from './browser';
import { type OwnService, share, startService } from './service';

declare global {
  var sharedBrowser: BrowserServer | undefined;
  var sharedService: OwnService | undefined;
}

/**
 * One browser and one service for all files that ask for no settings of their own: to start them
 * took more of a processor than the tests of most files.
 */
export default async function globalSetup(): Promise<void> {
  const service = await startService();
  globalThis.sharedService = service;
  const database = findEmbedded(service.dataFolder);
  if (!database) throw new Error(`The service tells nobody of its database:\n${service.log()}`);
  share({ url: service.url, folder: service.folder, database });
  globalThis.sharedBrowser = await startBrowser();
}
