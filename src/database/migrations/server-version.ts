import type { Client } from 'pg';
import { z } from 'zod';

/** As `server_version_num` has it. */
const oldestSupported = 140_000;

export const newerServerAdvice = 'Use Postgres 14 or newer.';

export function isSupported(versionNumber: number): boolean {
  return versionNumber >= oldestSupported;
}

const factsSchema = z.tuple([z.object({ version: z.string(), version_number: z.number() })]);

/** Says so where the server is older than is supported. It is used all the same: most may work. */
export async function sayIfTooOld(client: Client, say: (line: string) => void): Promise<void> {
  const { rows } = await client.query(
    `SELECT current_setting('server_version') AS version,
      current_setting('server_version_num')::int AS version_number`,
  );
  const [{ version, version_number }] = factsSchema.parse(rows);
  if (isSupported(version_number)) return;
  say(`The database is one of Postgres ${version}, which is not supported. ${newerServerAdvice}`);
}
