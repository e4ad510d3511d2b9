/**
 * The list with the duties that the service has, each by the part that one would take with Fastify:
 * the key looked up for each request, @fastify/rate-limit for the account, zod for what comes in and
 * goes out through fastify-type-provider-zod, and a line of its own logger, pino, at `info`. The total
 * is taken as the service takes it, from a counter that triggers keep.
 */
import { createHash, randomUUID } from 'node:crypto';
import rateLimit from '@fastify/rate-limit';
import Fastify from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import pg from 'pg';
import { z } from 'zod';

const textOrNull = z.string().nullable();

const testimonial = z.object({
  id: z.string(),
  space_id: z.string(),
  user_id: z.string(),
  type: z.enum(['text', 'video']),
  status: z.enum(['pending', 'approved', 'rejected']),
  submitter_name: z.string(),
  submitter_email: textOrNull,
  submitter_company: textOrNull,
  submitter_role: textOrNull,
  submitter_avatar_url: textOrNull,
  text_content: textOrNull,
  video_url: textOrNull,
  video_thumbnail_url: textOrNull,
  rating: z.int().min(1).max(5).nullable(),
  ai_transcript: textOrNull,
  shares: z.int(),
  created_at: z.string(),
  updated_at: z.string(),
  external_id: z.string().optional(),
});

const schema = {
  querystring: z.object({
    limit: z.coerce.number().int().min(1).max(100).default(50),
    offset: z.coerce.number().int().min(0).default(0),
  }),
  response: {
    200: z.object({
      data: z.array(testimonial),
      pagination: z.object({
        total: z.int(),
        limit: z.int(),
        offset: z.int(),
        has_more: z.boolean(),
      }),
    }),
  },
};

const columns = Object.keys(testimonial.shape)
  .map((name) =>
    name.endsWith('_at')
      ? `to_char(t.${name} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"') AS ${name}`
      : `t.${name}`,
  )
  .join(', ');

const keyOf = {
  name: 'key',
  text: `
    SELECT k.user_id, k.scopes, k.enabled, u.plan = 'free' AS is_free,
      coalesce(k.expires_at <= now(), false) AS is_expired
    FROM api_keys k JOIN users u ON u.id = k.user_id
    WHERE k.digest = $1 AND u.closed_at IS NULL`,
};

const page = {
  name: 'page',
  text: `
    SELECT counted.total, page.*
    FROM (SELECT testimonial_count AS total FROM users WHERE id = $1) counted
    LEFT JOIN (
      SELECT ${columns} FROM testimonials t WHERE t.user_id = $1
      ORDER BY t.created_at DESC, t.id DESC LIMIT $2 OFFSET $3
    ) page ON true`,
};

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const app = Fastify({
  logger: { level: 'info' },
  // One line a request, as the service writes, and not two.
  disableRequestLogging: true,
  genReqId: () => randomUUID(),
});
app.setValidatorCompiler(validatorCompiler);
app.setSerializerCompiler(serializerCompiler);

app.decorateRequest('account', null);
app.addHook('onRequest', async (request, reply) => {
  if (request.url === '/health') return;
  reply.header('x-request-id', request.id);
  const key = request.headers.authorization?.replace(/^Bearer +/i, '') ?? '';
  const digest = createHash('sha256').update(key).digest('hex');
  const [row] = (await pool.query({ ...keyOf, values: [digest] })).rows;
  if (!row?.enabled || row.is_expired || row.is_free) return reply.code(401).send();
  if (!row.scopes.includes('read')) return reply.code(403).send();
  request.account = row.user_id;
});
app.addHook('onResponse', async (request, reply) => {
  const { method, routeOptions, account } = request;
  const { statusCode: status, elapsedTime: durationMs } = reply;
  request.log.info({ method, route: routeOptions.url, status, durationMs, account }, 'request');
});
// Too high to be reached, and still counted, as the service's is here.
await app.register(rateLimit, {
  max: 1_000_000_000,
  timeWindow: '1 hour',
  hook: 'preValidation',
  keyGenerator: (request) => request.account,
});

app.get('/testimonials', { schema }, async ({ account, query: { limit, offset } }) => {
  const { rows } = await pool.query({ ...page, values: [account, limit, offset] });
  const { total } = rows[0];
  for (const row of rows) row.external_id ??= undefined;
  return {
    data: rows[0].id === null ? [] : rows,
    pagination: { total, limit, offset, has_more: offset + limit < total },
  };
});

app.get('/health', { config: { rateLimit: false } }, async () => ({}));

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
