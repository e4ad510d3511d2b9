/** `npm run restore -- FILE`: a backup into an empty database. */
import { z } from 'zod';
import { backupSource, verifyBackup } from '../copying/backup-file';
import { copyInto } from '../copying/copy';
import { describePlace, withAddress } from '../copying/places';
import { describeRows } from '../copying/tally';
import { configuredPlace } from './places';
import { fileOption, readOptions, runAsProcess, type Script } from './script';

export const restoreScript: Script = {
  opensDatabase: false,
  usage: `Restores a backup into an empty database.

  npm run restore -- testimonials.backup

The whole file is checked first. It goes to the database that DATABASE_URL names, else to the embedded
one; a database that has rows is refused, and no service may use it meanwhile. The backup may be of an
earlier version of the service: the migrations that it lacks follow. Interrupted, the same command
goes on where it was. SECRET_KEY must be the one of the service that the backup was taken from.`,

  read(args, terminal) {
    const { file } = readOptions(args, z.object({ file: fileOption }), { bare: 'file' });
    return async () => {
      const place = configuredPlace();
      const header = await verifyBackup(file);
      terminal.say(`${file} is whole; it was taken at ${header.takenAt}.`);
      const source = backupSource(file, header);
      const tallies = await withAddress(place, (url) =>
        copyInto(url, source, { say: terminal.say }),
      );
      terminal.print(`Restored ${describeRows(...tallies.values())} into ${describePlace(place)}.`);
      terminal.say(
        'Next: start the service with the SECRET_KEY that it had, and put the uploaded files back.',
      );
    };
  },
};

if (require.main === module) void runAsProcess(restoreScript);
