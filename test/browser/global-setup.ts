import type { BrowserServer } from 'playwright-core';
import { findEmbedded } from '../../src/database/embedded/open';
import { startBrowser } from './browser';
import { type Place, setPlaces } from './place';
import { type OwnService, startService } from './service';

declare global {
  var openedPlaces: OpenedPlace[] | undefined;
}

type OpenedPlace = { browser: BrowserServer; service: OwnService };

/**
 * For each worker one browser, and one service for those of its files that ask for no settings of
 * their own: to start them took more of a processor than the tests of most files.
 */
export default async function globalSetup({ maxWorkers }: { maxWorkers: number }): Promise<void> {
  const opened = await Promise.all(Array.from({ length: maxWorkers }, openPlace));
  globalThis.openedPlaces = opened;
  setPlaces(opened.map(placeOf));
}

async function openPlace(): Promise<OpenedPlace> {
  const [browser, service] = await Promise.all([startBrowser(), startService()]);
  return { browser, service };
}

function placeOf({ browser, service }: OpenedPlace): Place {
  const { url, folder, dataFolder } = service;
  const database = findEmbedded(dataFolder);
  if (!database) throw new Error(`The service tells nobody of its database:\n${service.log()}`);
  return { browser: browser.wsEndpoint(), service: { url, folder, database } };
}
