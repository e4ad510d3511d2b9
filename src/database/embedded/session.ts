/**
 * The one session that all clients share. What a client has set is taken out of it when its turn
 * ends and put back when the next begins, so that nobody meets the settings of another.
 */

/** What this service calls itself when it connects. It sets nothing, so its turns cost nothing more. */
export const applicationName = 'testimonials';

/** Runs one statement outside any transaction and resolves to its rows. */
export type RunStatement = <Row>(sql: string, values?: string[]) => Promise<Row[]>;

/** What one client has set, by SET or set_config. */
export type Settings = { name: string; value: string }[];

/** What a client has set cannot be kept for it: to the session, nothing has happened. */
export class SettingsError extends Error {
  override name = 'SettingsError';
}

export type Session = {
  /**
   * Resolves to what was set, and leaves the session as if nothing had been.
   * @throws SettingsError
   */
  takeSettings(): Promise<Settings>;
  /** @throws SettingsError where one cannot be put back as things are by now; others may have been */
  putSettings(settings: Settings): Promise<void>;
  /** Forgets all that a client has left: settings, temporary tables, named statements, locks. */
  discard(): Promise<void>;
};

/** Those that need no conversion: the backend has none, and ends where it should make one. */
const spokenEncodings = new Set(['UTF8', 'SQL_ASCII']);

/** They are a transaction's, and ended with it, but are listed like those that a client has set. */
const ofTransaction = `('transaction_isolation', 'transaction_read_only', 'transaction_deferrable')`;

/** The session of that user. None of it may be called within a transaction. */
export function createSession(run: RunStatement, user: string): Session {
  // Not by RESET, here or in DISCARD ALL: it goes back to the user who has signed in, and here nobody has.
  const resetUser = `SET SESSION AUTHORIZATION "${user}"`;
  return {
    takeSettings: async () => {
      const settings = await run<Settings[number]>(
        `SELECT name, current_setting(name) AS value FROM pg_settings
        WHERE source = 'session' AND name NOT IN ${ofTransaction}`,
      ).catch(refuse);
      const encoding = settings.find(({ name }) => name === 'client_encoding')?.value ?? 'UTF8';
      if (!spokenEncodings.has(encoding)) {
        throw new SettingsError(`client_encoding ${encoding} is not spoken here, only UTF8`);
      }
      // RESET ALL leaves the role, which is no setting that could be listed.
      for (const statement of [resetUser, 'RESET ROLE', 'RESET ALL']) {
        await run(statement);
      }
      return settings;
    },
    putSettings: async (settings) => {
      for (const { name, value } of settings) {
        await run('SELECT set_config($1, $2, false)', [name, value]).catch(refuse);
      }
    },
    discard: async () => {
      await run('DISCARD ALL');
      await run(resetUser);
    },
  };
}

/** What fails otherwise is the backend itself. */
function refuse(error: unknown): never {
  const isStatements = error instanceof Error && 'severity' in error && error.severity === 'ERROR';
  throw isStatements ? new SettingsError(error.message, { cause: error }) : error;
}
