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

export type Session = {
  /** Resolves to what was set, and leaves the session as if nothing had been. */
  takeSettings(): Promise<Settings>;
  putSettings(settings: Settings): Promise<void>;
  /** Forgets all that a client has left: settings, temporary tables, named statements, locks. */
  discard(): Promise<void>;
};

/** None of it may be called within a transaction. */
export function createSession(run: RunStatement): Session {
  return {
    takeSettings: async () => {
      const settings = await run<Settings[number]>(
        `SELECT name, current_setting(name) AS value FROM pg_settings WHERE source = 'session'`,
      );
      // RESET ALL leaves the role, which is no setting that could be listed.
      for (const statement of ['RESET SESSION AUTHORIZATION', 'RESET ROLE', 'RESET ALL']) {
        await run(statement);
      }
      return settings;
    },
    putSettings: async (settings) => {
      for (const { name, value } of settings) {
        await run('SELECT set_config($1, $2, false)', [name, value]);
      }
    },
    discard: async () => {
      await run('DISCARD ALL');
    },
  };
}
