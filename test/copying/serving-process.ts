/**
 * A process that serves the embedded database of the folder in its first argument, as the service
 * does, and writes to it without end: pairs of testimonials, each pair in one statement, printing the
 * number of each when its commit was answered. Its trigger counts what there must be.
 */
import { Client } from 'pg';
import { openEmbedded } from '../../src/database/embedded/open';
import { migrate } from '../../src/database/migrations/migrate';

async function main([folder = '']: string[]): Promise<void> {
  const { url } = await openEmbedded({ folder });
  await migrate({ url, log: () => {} });
  const client = new Client({ connectionString: url, application_name: 'testimonials' });
  await client.connect();
  await client.query(
    `WITH owner AS (INSERT INTO users (name, email) VALUES ('Ada', 'ada@example.com') RETURNING id)
     INSERT INTO spaces (user_id, name, slug) SELECT id, 'A space', 'a-space' FROM owner`,
  );
  for (let n = 1; ; n++) {
    await client.query(
      `INSERT INTO testimonials (space_id, user_id, type, submitter_name, text_content)
       SELECT id, user_id, 'text', submitter, 'Number ' || $1::int
       FROM spaces, (VALUES ('first'), ('second')) pair(submitter)`,
      [n],
    );
    process.stdout.write(`${n}\n`);
  }
}

void main(process.argv.slice(2));
