import type { ServedBackend } from '@/src/database/embedded/served-backend';

/** A backend for the wire alone, whose password is `known`; what it does is the test's to play. */
export function playedBackend(
  played: Pick<ServedBackend, 'execute' | 'idleTransactionMs' | 'onBackendFailure'>,
  session?: Partial<ServedBackend['session']>,
): ServedBackend {
  return {
    user: 'postgres',
    database: 'postgres',
    password: 'known',
    parameters: {},
    session: {
      takeSettings: async () => [],
      putSettings: async () => {},
      discard: async () => {},
      ...session,
    },
    ...played,
  };
}
