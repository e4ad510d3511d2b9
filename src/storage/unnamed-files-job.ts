import { hourlyJob } from '../background/hourly';
import { queueUnnamed } from './stored-files';

/** Queues uploaded files that no row ever named, for removal. */
export const unnamedFilesJob = hourlyJob('unnamed files', async ({ endAt, now }) => {
  while (Date.now() < endAt) {
    if (!(await queueUnnamed(now)).isFull) return false;
  }
  return true;
});
