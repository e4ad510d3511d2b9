import { Client } from 'pg';
import { disconnect } from '@/src/database/client';
import { provideEnv } from '@/src/env';
import { createTenant, type Tenant } from '../helpers/accounts';
import type { Statement } from '../helpers/statements';
import { borrowTestDatabase } from '../helpers/test-database';

/** Accounts of 1,000 testimonials each, and their neighbours with none. */
const busyAccounts = 50;
const accounts = 2000;
const testimonialsEach = 1000;

type PlanNode = {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  'Plan Rows': number;
  Plans?: PlanNode[];
};

export type LargeDatabase = {
  connection: Client;
  /** One of the busy accounts. */
  tenant: Tenant;
  /** The steps of the statement's plan, as `Index Scan on testimonials` or `Sort`. */
  plan(statement: Statement): Promise<string[]>;
  visitPlan<T>(statement: Statement, describe: (node: PlanNode) => T): Promise<T[]>;
  close(): Promise<void>;
};

/**
 * A database that is used from now on, and whose plans are those of a large one. As many rows take the one
 * backend of an embedded database for seconds, in which no other test file could so much as connect: they
 * are in a database of their own.
 */
export async function openLargeDatabase(): Promise<LargeDatabase> {
  const own = await borrowTestDatabase();
  // Every request is to reach it.
  provideEnv({ DATABASE_URL: own.url, CACHE_BYTES: '0' });
  const connection = new Client({ connectionString: own.url });
  await connection.connect();
  const tenant = await createTenant();
  // One statement, so that nothing else sees a part. Rows of the accounts lie between one another,
  // as they would after months of use.
  await connection.query(
    `WITH account AS (
      INSERT INTO users (name, email)
      SELECT 'Load', 'load-' || gen_random_uuid() || '@example.com' FROM generate_series(2, $2)
      RETURNING id
    ),
    owner AS (
      SELECT $1::uuid AS id, 0::bigint AS n UNION ALL
      SELECT id, row_number() OVER () FROM account
    ),
    key AS (
      INSERT INTO api_keys (user_id, name, digest, hint, scopes)
      SELECT id, 'Load', id::text, '', '{read}' FROM owner
    ),
    endpoint AS (
      INSERT INTO webhook_endpoints (user_id, url, event_types, enabled, encrypted_secret)
      SELECT id, 'https://127.0.0.1:9/', '{testimonial.approved}', false, '' FROM owner
    ),
    space AS (
      INSERT INTO spaces (user_id, name, slug)
      SELECT id, 'Load', gen_random_uuid()::text FROM owner
      RETURNING id, user_id
    )
    INSERT INTO testimonials
      (space_id, user_id, type, status, submitter_name, text_content, rating, created_at)
    SELECT space.id, space.user_id, 'text', 'approved', 'Ada Park', 'What a service! ' || i,
      1 + i % 5, now() - i * interval '1 minute'
    FROM generate_series(1, $4) i, space
    JOIN owner ON owner.id = space.user_id AND owner.n < $3`,
    [tenant.accountId, accounts, busyAccounts, testimonialsEach],
  );
  // An index is chosen for what is large, and nothing tells when the server itself looks how large.
  await connection.query(
    `INSERT INTO stored_files (key, url, user_id, bytes)
    SELECT 'images/' || n, 'https://files.example.com/images/' || n, $1, 0
    FROM generate_series(1, 50000) n`,
    [tenant.accountId],
  );
  await connection.query('ANALYZE');
  // Until then, nothing is read from an index alone.
  await connection.query('VACUUM testimonials');

  function plan(statement: Statement): Promise<string[]> {
    return visitPlan(statement, ({ 'Node Type': type, 'Relation Name': table }) =>
      table ? `${type} on ${table}` : type,
    );
  }

  async function visitPlan<T>(
    { text, values }: Statement,
    describe: (node: PlanNode) => T,
  ): Promise<T[]> {
    const { rows } = await connection.query(`EXPLAIN (FORMAT JSON) ${text}`, values);
    const steps: T[] = [];
    const visit = (node: PlanNode) => {
      const { Plans: inner = [] } = node;
      steps.push(describe(node));
      inner.forEach(visit);
    };
    visit(rows[0]['QUERY PLAN'][0].Plan);
    return steps;
  }

  return {
    connection,
    tenant,
    plan,
    visitPlan,
    close: async () => {
      await connection.end();
      await disconnect();
      await own.close();
    },
  };
}
