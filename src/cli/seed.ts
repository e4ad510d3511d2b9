/** `npm run seed -- …`: fills an account with spaces and testimonials to look at. */
import { randomBytes, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { accountIdOf, createAccount } from '../accounts/accounts';
import { database } from '../database/client';
import { nameList } from '../database/sql/columns';
import { directWriter } from '../database/writer';
import { createSpace } from '../spaces/spaces';
import { columnNames } from '../testimonials/columns';
import type { Testimonial, Transcription } from '../testimonials/schema';
import { newEmailOption, passwordOption, readPassword } from './options';
import { readOptions, runAsProcess, type Script } from './script';
import { type SeedSpace, seedSpaces, seedTestimonials } from './seed-content';
import type { Terminal } from './terminal';

/** Rows of one INSERT: enough to make the round trips cheap, few enough to show progress. */
const batchSize = 500;

export const seedScript: Script = {
  usage: `Fills an account with made-up spaces and testimonials of the last year, and prints its id.

  npm run seed -- --email you@example.com [--password <password>] [--spaces 6] [--testimonials 200]

  --email         the account; it is created where there is none
  --password      for an account that is created, "-" reads it from standard input; where left out,
                  one is made up and shown
  --spaces        how many spaces, 1 to 1000
  --testimonials  how many testimonials, 0 to 1000000

The content is the same every time; a second run adds it once more. Of its spaces there is an
event each, space.created, and of its testimonials none.
It goes to the database that DATABASE_URL names, else to the embedded one, also while the service
runs.`,

  mayBegin: () => true,

  async read(args, terminal) {
    const { email, spaces, testimonials, ...given } = readOptions(args, seedOptions);
    const password =
      given.password === undefined ? undefined : await readPassword(given.password, terminal);
    return async () => {
      const accountId =
        (await accountIdOf(email)) ?? (await createSeededAccount(email, password, terminal));
      const spaceIds = await insertSpaces(accountId, seedSpaces(spaces), terminal);
      await insertTestimonials(accountId, spaceIds, testimonials, terminal);
      terminal.print(accountId);
    };
  },
};

function count(min: number, max: number, fallback: number) {
  const rule = `must be a number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d+$/, rule)
    .transform(Number)
    .pipe(z.int(rule).min(min, rule).max(max, rule))
    .default(fallback);
}

const seedOptions = z.object({
  email: newEmailOption,
  password: passwordOption.optional(),
  spaces: count(1, 1000, 6),
  testimonials: count(0, 1_000_000, 200),
});

async function createSeededAccount(
  email: string,
  given: string | undefined,
  terminal: Terminal,
): Promise<string> {
  const password = given ?? randomBytes(9).toString('base64url');
  const id = await createAccount({ email, password });
  terminal.say(`Created the account ${email}${given ? '' : ` with the password ${password}`}`);
  return id;
}

async function insertSpaces(
  accountId: string,
  spaces: SeedSpace[],
  terminal: Terminal,
): Promise<string[]> {
  const ids: string[] = [];
  for (const { ageDays, ...input } of spaces) {
    const { id } = await createSpace({ accountId, mode: 'live' }, input, directWriter);
    ids.push(id);
    await database().$executeRaw`
      UPDATE spaces SET created_at = created_at - ${ageDays} * interval '1 day'
      WHERE id = ${id}::uuid`;
    sayProgress('spaces', ids.length, spaces.length, terminal);
  }
  return ids;
}

const names = nameList([...columnNames, 'transcription']);

/** An import of what happened before: it emits no events. */
async function insertTestimonials(
  accountId: string,
  spaceIds: string[],
  total: number,
  terminal: Terminal,
): Promise<void> {
  for (let from = 0; from < total; from += batchSize) {
    const to = Math.min(from + batchSize, total);
    const now = Date.now();
    const rows = seedTestimonials(from, to, spaceIds.length).map(
      ({ spaceIndex, ageSeconds, ...row }): Testimonial & Pick<Transcription, 'transcription'> => {
        const at = new Date(now - ageSeconds * 1000).toISOString();
        const space_id = spaceIds[spaceIndex] ?? '';
        const id = randomUUID();
        const transcription = row.ai_transcript === null ? 'none' : 'done';
        const owned = { id, space_id, user_id: accountId };
        return { ...row, ...owned, transcription, created_at: at, updated_at: at };
      },
    );
    await database().$executeRaw`
      INSERT INTO testimonials (${names})
      SELECT ${names} FROM json_populate_recordset(NULL::testimonials, ${JSON.stringify(rows)}::json)`;
    sayProgress('testimonials', to, total, terminal);
  }
}

/** Says how far it is, every thousand rows and at the end. */
function sayProgress(what: string, done: number, total: number, terminal: Terminal): void {
  if (done % 1000 === 0 || done === total) terminal.say(`${what} ${done}/${total}`);
}

if (require.main === module) void runAsProcess(seedScript);
