import { Connection } from '../../database/connections/connection';

const connectMs = 5_000;

/** A connection that is not made yet. Whoever asks for it ends it. */
export function connectionTo(url: string): Connection {
  return new Connection({ connectionString: url, connectionTimeoutMillis: connectMs });
}
