/**
 * The list as one would write it by hand: Fastify, pg, and the JSON written from a schema (Fastify
 * does that by fast-json-stringify). No key, no limit, no log; the account stands in the query.
 *   /counters  the total as the service takes it, from a counter that triggers keep
 *   /count     the total by count(*)
 */
import Fastify from 'fastify';
import pg from 'pg';

const text = { type: 'string' };
const textOrNull = { type: ['string', 'null'] };
const properties = {
  id: text,
  space_id: text,
  user_id: text,
  type: text,
  status: text,
  submitter_name: text,
  submitter_email: textOrNull,
  submitter_company: textOrNull,
  submitter_role: textOrNull,
  submitter_avatar_url: textOrNull,
  text_content: textOrNull,
  video_url: textOrNull,
  video_thumbnail_url: textOrNull,
  rating: { type: ['integer', 'null'] },
  ai_transcript: textOrNull,
  shares: { type: 'integer' },
  created_at: text,
  updated_at: text,
};
const columns = Object.keys(properties)
  .map((name) =>
    name.endsWith('_at')
      ? `to_char(t.${name} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"') AS ${name}`
      : `t.${name}`,
  )
  .join(', ');

const totals = {
  counters: 'SELECT testimonial_count AS total FROM users WHERE id = $1',
  count: 'SELECT count(*)::int AS total FROM testimonials WHERE user_id = $1',
};

const schema = {
  querystring: {
    type: 'object',
    required: ['account'],
    properties: {
      account: text,
      limit: { type: 'integer', minimum: 1, maximum: 100, default: 50 },
      offset: { type: 'integer', minimum: 0, default: 0 },
    },
  },
  response: {
    200: {
      type: 'object',
      properties: {
        data: { type: 'array', items: { type: 'object', properties } },
        pagination: {
          type: 'object',
          properties: {
            total: { type: 'integer' },
            limit: { type: 'integer' },
            offset: { type: 'integer' },
            has_more: { type: 'boolean' },
          },
        },
      },
    },
  },
};

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const app = Fastify();

for (const [name, total] of Object.entries(totals)) {
  const statement = `
    SELECT counted.total, page.* FROM (${total}) counted
    LEFT JOIN (
      SELECT ${columns} FROM testimonials t WHERE t.user_id = $1
      ORDER BY t.created_at DESC, t.id DESC LIMIT $2 OFFSET $3
    ) page ON true`;
  app.get(`/${name}`, { schema }, async ({ query: { account, limit, offset } }) => {
    const { rows } = await pool.query({
      name,
      text: statement,
      values: [account, limit, offset],
    });
    const found = rows[0].total;
    return {
      data: rows[0].id === null ? [] : rows,
      pagination: { total: found, limit, offset, has_more: offset + limit < found },
    };
  });
}

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
