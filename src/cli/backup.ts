/** `npm run backup -- FILE`: everything that the database holds, in one file. */
import { accessSync, constants, lstatSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { writeBackup } from '../copying/backup-file';
import { removeAbandonedClones, withClone } from '../copying/clone';
import { createProgressReport } from '../copying/copy';
import { describePlace, isServed, type Place, withConnection } from '../copying/places';
import { withDatabaseSource } from '../copying/source';
import { describeRows } from '../copying/tally';
import { messageOf } from '../error-parts';
import { existsError } from '../file-system/unfinished';
import { configuredPlace, requireSource } from './places';
import { fileOption, readOptions, runAsProcess, type Script } from './script';

export const backupScript: Script = {
  opensDatabase: false,
  usage: `Writes everything that the database holds into a file, also while the service runs.

  npm run backup -- testimonials.backup

  The file is there once it is whole, and only its owner may read it. One that is there already is
  not overwritten.

It is of the database that DATABASE_URL names, else of the embedded one. Secrets in it are digests or
encrypted by SECRET_KEY: keep that key, elsewhere, and the uploaded files, which are not in it.`,

  read(args, terminal) {
    const { file } = readOptions(args, z.object({ file: fileOption }), { bare: 'file' });
    return async () => {
      const place = configuredPlace();
      // A link that leads nowhere is there as well.
      if (lstatSync(file, { throwIfNoEntry: false })) throw existsError(file);
      requireFolder(file);
      requireSource(place);
      const write = (from: Place) =>
        withConnection(from, async (client) => {
          if (from === place && 'folder' in from) await removeAbandonedClones(from.folder);
          return withDatabaseSource(client, { isLocked: false }, (source) =>
            writeBackup(file, source, {
              now: new Date(),
              onBlock: createProgressReport(terminal.say),
            }),
          );
        });
      const tallies = isServed(place)
        ? await withClone(place.folder, async ({ folder, heldMs }) => {
            terminal.say(`The service goes on; its requests waited for ${Math.ceil(heldMs)} ms.`);
            return write({ folder });
          })
        : await write(place);
      // A schedule without the settings of the service, which takes another database for its.
      if (tallies.get('users')?.rows === 0) {
        terminal.say(`${describePlace(place)} has no accounts: is it that of the service?`);
      }
      terminal.print(
        `${describeRows(...tallies.values())} of ${describePlace(place)} are in ${file}.`,
      );
    };
  },
};

/** Before anything is read, or requests wait for that. */
function requireFolder(file: string): void {
  try {
    accessSync(dirname(file), constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new Error(`No file can be made in ${dirname(file)}: ${messageOf(error)}.`);
  }
}

if (require.main === module) void runAsProcess(backupScript);
