import { env, provideEnv } from '../env';
import { findEmbedded, openEmbedded } from './embedded';
import { migrate } from './migrate';

/** Undoes what opening the database did to this process. */
type Close = () => Promise<void>;

/**
 * Makes sure that there is a migrated database behind `database()`: the server that DATABASE_URL
 * names, else the embedded one. `shared` joins an embedded database that another process has open,
 * as the command line does while the service runs.
 * @throws Error that says what to do, where it cannot be opened or a migration fails
 */
export async function openDatabase(options: {
  shared: boolean;
  say: (line: string) => void;
}): Promise<Close> {
  const { DATABASE_URL: configured, DATA_FOLDER: folder } = env();
  const served = !configured && options.shared ? findEmbedded(folder) : undefined;
  if (served) {
    provideEnv({ DATABASE_URL: served });
    return async () => {};
  }
  if (configured) {
    await migrate({ url: configured, log: options.say });
    return async () => {};
  }
  const embedded = await openEmbedded({ folder });
  provideEnv({ DATABASE_URL: embedded.url });
  try {
    await migrate({ url: embedded.url, log: options.say });
  } catch (error) {
    await embedded.close();
    throw error;
  }
  return () => embedded.close();
}
