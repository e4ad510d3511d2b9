/** `npm run move -- …`: everything that a database holds into another one. */
import { z } from 'zod';
import { copyInto } from '../copying/copy';
import {
  describePlace,
  isSameFolder,
  isServed,
  type Place,
  withAddress,
  withConnection,
} from '../copying/places';
import { withDatabaseSource } from '../copying/source';
import { describeRows } from '../copying/tally';
import { configuredPlace, placeOption, requireSource } from './places';
import { checked, readOptions, runAsProcess, type Script, UsageError } from './script';

export const moveScript: Script = {
  opensDatabase: false,
  usage: `Copies everything into another database: from the embedded one to a server, back, or between servers.

  npm run move -- --to postgresql://user:password@host/database
  npm run move -- --to <data folder>

  --to   where to: the address of an empty database, or a data folder for an embedded one; "-" reads
         it from standard input, so that a password stays out of the shell's history

It is taken from the database that DATABASE_URL names, else from the embedded one. Stop the service
first: an embedded database that is in use is refused, and a server's cannot be written to meanwhile.
The tables are made by the migrations, their rows are compared at the end, and what is at the old
place stays as it is. Interrupted, the same command goes on where it was.`,

  async read(args, terminal) {
    const given = readOptions(args, z.object({ to: z.string('is missing') }));
    const text = given.to === '-' ? await terminal.readSecret('To: ') : given.to;
    const to = checked('to', placeOption, text);
    return async () => {
      const from = configuredPlace();
      if (isSameFolder(from, to)) {
        throw new UsageError('--to is the data folder that everything is taken from.');
      }
      requireSource(from);
      if (isServed(from)) {
        throw new Error(
          `A service is using ${describePlace(from)}. Stop it first: what it stored from now on ` +
            'would be missing at the new place.',
        );
      }
      const tallies = await withConnection(from, (client) =>
        withDatabaseSource(client, { isLocked: true }, (source) =>
          withAddress(to, (url) => copyInto(url, source, { say: terminal.say })),
        ),
      );
      terminal.print(
        `Moved ${describeRows(...tallies.values())} of ${tallies.size} tables to ${describePlace(to)}.`,
      );
      for (const line of nextSteps(from, to)) terminal.say(line);
    };
  },
};

function nextSteps(from: Place, to: Place): string[] {
  const setting =
    'url' in to
      ? `set DATABASE_URL to the address of ${describePlace(to)}`
      : `remove DATABASE_URL and set DATA_FOLDER=${to.folder}`;
  const keep =
    'folder' in from && 'folder' in to
      ? `Copy "secret-key" and "files" from ${from.folder} as well, where there are any.`
      : 'Keep SECRET_KEY, or the data folder with "secret-key" in it, and the uploaded files where they are.';
  return [`Next: ${setting}, and start the service. ${keep}`];
}

if (require.main === module) void runAsProcess(moveScript);
