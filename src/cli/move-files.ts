/** `npm run move-files -- …`: uploaded files from the data folder to a bucket, or back. */
import { z } from 'zod';
import { moveFiles } from '../storage/moving';
import { readOptions, runAsProcess, type Script } from './script';

export const moveFilesScript: Script = {
  usage: `Copies uploaded files to another storage, and gives them their new addresses in all rows.

  npm run move-files -- --to bucket
  npm run move-files -- --to folder

  --to   bucket: from the data folder to the bucket of S3_BUCKET; folder: the other way round

Both DATA_FOLDER and the bucket must be configured. It changes the database that DATABASE_URL names,
else the embedded one, also while the service runs. The files stay at the old place. Interrupted, or
where files were uploaded meanwhile, the same command does what is left.`,

  read(args, terminal) {
    const { to } = readOptions(args, optionsSchema);
    return async () => {
      const { moved, missing } = await moveFiles(to, (totals) => {
        if (totals.moved % 100 === 0) terminal.say(`${totals.moved} files moved`);
      });
      terminal.print(`Moved ${moved} files to the ${to}.`);
      if (missing > 0) {
        terminal.say(`${missing} files were not there; their addresses stay as they were.`);
      }
    };
  },
};

const optionsSchema = z.object({
  to: z.enum(['bucket', 'folder'], 'must be bucket or folder'),
});

if (require.main === module) void runAsProcess(moveFilesScript);
