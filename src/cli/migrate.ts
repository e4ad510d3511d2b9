/** `npm run migrate`: applies pending migrations, for platforms without a long-lived process. */
import { z } from 'zod';
import { readOptions, runAsProcess, type Script } from './script';

const migrateScript: Script = {
  usage: `Applies the migrations that the database lacks; npm start does so by itself.

  npm run migrate

It goes to the database that DATABASE_URL names, else to the embedded one.`,

  mayBegin: () => true,

  read(args) {
    readOptions(args, z.object({}));
    // Every command brings the database up to date when it opens it.
    return async () => {};
  },
};

if (require.main === module) void runAsProcess(migrateScript);
