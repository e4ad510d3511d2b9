import { randomUUID } from 'node:crypto';
import { ApiError } from '../api/errors';
import { inHeavyTurn } from '../api/heavy-turns';
import type { Actor } from '../audit/actor';
import { changesOf, noteAction, noteChanges, subjects, toldChanges } from '../audit/note';
import { database } from '../database/client';
import { Prisma } from '../database/generated/client';
import { readHeavy } from '../database/read-heavy';
import { readRows } from '../database/read-rows';
import { wireInstantColumn, wireInstants } from '../database/sql/instants';
import { removeSome } from '../database/sql/removing';
import type { Writer } from '../database/writer';
import type { EventType } from '../outbox/event-types';
import { seal } from '../secrets/seal';
import { checkUrl } from './check-url';
import { lockEndpoint } from './endpoint-locks';
import { webhookLimits } from './limits';
import {
  type CreateEndpointInput,
  type EndpointChanges,
  eventType,
  type WebhookEndpoint,
} from './schema';
import { formatSecret, generateSecret, openSecret, sealOf } from './secret';

/**
 * Every endpoint of the account with its state of health, newest first. It takes its turn: of all
 * together, a hundred thousand deliveries may have to be counted.
 */
export function listEndpoints(accountId: string): Promise<WebhookEndpoint[]> {
  const all = Prisma.sql`
    ${selectEndpoints(Prisma.sql`e.user_id = ${accountId}::uuid`)}
    ORDER BY e.created_at DESC, e.id DESC`;
  return inHeavyTurn(accountId, () => readHeavy<WebhookEndpoint>(all));
}

/** @throws ApiError WEBHOOK_ENDPOINT_NOT_FOUND */
export async function getEndpoint(accountId: string, id: string): Promise<WebhookEndpoint> {
  const [endpoint] = await readRows<WebhookEndpoint>(selectEndpoint(accountId, id));
  return endpoint ?? notFound();
}

/**
 * Makes an endpoint and its signing secret, paused where it is not enabled. The answer is one of the two
 * places where a secret appears; the other is the answer to its rotation. As with every change here, who
 * made it is noted in the same statement.
 * @throws ApiError INVALID_WEBHOOK_URL, LIMIT_EXCEEDED
 */
export async function createEndpoint(
  accountId: string,
  input: CreateEndpointInput,
  actor: Actor,
  writer: Writer,
): Promise<WebhookEndpoint & { secret: string }> {
  await checkUrl(input.url);
  const id = randomUUID();
  const secret = generateSecret();
  // Two at once take turns at the account's row, and the second counts what the first has made.
  const [created] = await writer.writeInOrder([
    Prisma.sql`SELECT id FROM users WHERE id = ${accountId}::uuid FOR NO KEY UPDATE`,
    Prisma.sql`
      WITH made AS (
        INSERT INTO webhook_endpoints (id, user_id, url, description, event_types, enabled,
          encrypted_secret)
        SELECT ${id}::uuid, ${accountId}::uuid, ${input.url}, ${input.description || null}::text,
          ${distinct(input.event_types)}::text[], ${input.enabled}, ${seal(secret, sealOf(id))}::bytea
        WHERE (SELECT count(*) FROM webhook_endpoints WHERE user_id = ${accountId}::uuid)
          < ${webhookLimits.endpointsPerAccount}::int
        RETURNING *
      ),
      noted AS (${noteChanges(
        actor,
        Prisma.sql`
          SELECT ${subjects('webhook_endpoint', 'made')}, 'created' AS action,
            ${changesOf({
              event_types: ['NULL::text[]', 'made.event_types'],
              description: ['NULL::text', 'made.description'],
            })} AS changes
          FROM made
          UNION ALL
          SELECT ${subjects('webhook_endpoint', 'made')}, 'paused', '{}'::json
          FROM made WHERE NOT made.enabled`,
      )})
      SELECT id FROM made`,
  ]);
  if (!created) {
    throw new ApiError('LIMIT_EXCEEDED', {
      message: `An account may have ${webhookLimits.endpointsPerAccount} webhook endpoints. Delete one first.`,
    });
  }
  return { ...(await readWritten(accountId, id, writer)), secret: formatSecret(secret) };
}

/**
 * Changes what is given. Paused, the endpoint gets no new deliveries and what is pending waits.
 * Resumed, or sent elsewhere, it starts without a failure streak.
 * @throws ApiError WEBHOOK_ENDPOINT_NOT_FOUND, INVALID_WEBHOOK_URL
 */
export async function updateEndpoint(
  accountId: string,
  id: string,
  changes: EndpointChanges,
  actor: Actor,
  writer: Writer,
): Promise<WebhookEndpoint> {
  const { url, event_types, description, enabled } = changes;
  const assignments = [Prisma.sql`updated_at = clock_timestamp()`];
  if (event_types !== undefined) {
    assignments.push(Prisma.sql`event_types = ${distinct(event_types)}::text[]`);
  }
  if (url !== undefined) {
    await checkUrl(url);
    assignments.push(Prisma.sql`url = ${url}`);
  }
  if (description !== undefined) assignments.push(Prisma.sql`description = ${description || null}`);
  if (enabled !== undefined) {
    assignments.push(Prisma.sql`enabled = ${enabled}, disabled_reason = NULL`);
  }
  const startsAnew = [
    ...(enabled ? [Prisma.sql`NOT e.enabled`] : []),
    ...(url === undefined ? [] : [Prisma.sql`e.url <> ${url}`]),
  ];
  if (startsAnew.length > 0) {
    const isNew = Prisma.join(startsAnew, ' OR ');
    assignments.push(Prisma.sql`failing_since = CASE WHEN ${isNew} THEN NULL ELSE e.failing_since END,
      failure_count = CASE WHEN ${isNew} THEN 0 ELSE e.failure_count END`);
  }
  await writer.write(Prisma.sql`
    WITH ${lockEndpoint(accountId, id)},
    before AS MATERIALIZED (
      SELECT id, url, description, event_types, enabled FROM webhook_endpoints
      WHERE id IN (SELECT id FROM turn)
      FOR NO KEY UPDATE
    ),
    after AS (
      UPDATE webhook_endpoints e SET ${Prisma.join(assignments, ', ')}
      FROM before WHERE e.id = before.id
      RETURNING e.*
    ),
    told AS (
      SELECT ${subjects('webhook_endpoint', 'after')}, ${changesOf({
        url: ['before.url', 'after.url'],
        event_types: ['before.event_types', 'after.event_types'],
        description: ['before.description', 'after.description'],
      })} AS changes,
        CASE WHEN before.enabled = after.enabled THEN 'updated'
          WHEN after.enabled THEN 'resumed' ELSE 'paused' END AS action
      FROM after JOIN before ON before.id = after.id
    )
    ${noteChanges(actor, toldChanges)}`);
  return readWritten(accountId, id, writer);
}

/**
 * Replaces the signing secret. The old one signs beside the new one for 24 hours, so that a
 * receiver can be changed over without losing a delivery. One old secret is kept: rotated again
 * within that time, what signed as the old one ends. One that was stored with another SECRET_KEY signs
 * nothing, and is not kept.
 * @throws ApiError WEBHOOK_ENDPOINT_NOT_FOUND
 */
export async function rotateSecret(
  accountId: string,
  id: string,
  actor: Actor,
  writer: Writer,
): Promise<WebhookEndpoint & { secret: string }> {
  const secret = generateSecret();
  // Another rotation may come between, whose secret opens.
  const isKept = Prisma.sql`encrypted_secret IS DISTINCT FROM ${await unreadable(accountId, id)}::bytea`;
  await writer.write(Prisma.sql`
    WITH ${lockEndpoint(accountId, id)},
    rotated AS (
      UPDATE webhook_endpoints SET
        previous_encrypted_secret = CASE WHEN ${isKept} THEN encrypted_secret END,
        previous_secret_expires_at = CASE WHEN ${isKept} THEN
          clock_timestamp() + make_interval(hours => ${webhookLimits.previousSecretHours}::int) END,
        encrypted_secret = ${seal(secret, sealOf(id))},
        updated_at = clock_timestamp()
      WHERE id IN (SELECT id FROM turn)
      RETURNING *
    )
    ${noteAction(actor, 'rotated', 'webhook_endpoint', 'rotated')}`);
  return { ...(await readWritten(accountId, id, writer)), secret: formatSecret(secret) };
}

/** The endpoint's secret as it is stored, where it does not open. */
async function unreadable(accountId: string, id: string): Promise<Uint8Array | null> {
  const where = { id, userId: accountId };
  const select = { encryptedSecret: true };
  const stored = await database().webhookEndpoint.findFirst({ where, select });
  return stored && !openSecret(stored.encryptedSecret, id) ? stored.encryptedSecret : null;
}

/**
 * With its deliveries, sent or not, of which there may be a million. They go first, in statements of
 * their own: one alone would keep the endpoint locked, and every write of the account waiting for it.
 * It is paused before, so that no event adds one; where the process dies meanwhile, it stays so, with
 * what is left of its log.
 * @throws ApiError WEBHOOK_ENDPOINT_NOT_FOUND
 */
export async function deleteEndpoint(
  accountId: string,
  id: string,
  actor: Actor,
  { write }: Writer,
): Promise<void> {
  const paused = await write(Prisma.sql`
    WITH ${lockEndpoint(accountId, id)}
    UPDATE webhook_endpoints SET enabled = false WHERE id IN (SELECT id FROM turn) RETURNING id`);
  if (paused.length === 0) notFound();
  const removeDeliveries = removeSome('webhook_deliveries', Prisma.sql`endpoint_id = ${id}::uuid`);
  for (let left = true; left; ) {
    const [batch] = await write<{ removed: number }>(removeDeliveries);
    left = batch !== undefined && batch.removed > 0;
  }
  const deleted = await write(Prisma.sql`
    WITH ${lockEndpoint(accountId, id)},
    gone AS (
      DELETE FROM webhook_endpoints WHERE id IN (SELECT id FROM turn)
      RETURNING *
    ),
    noted AS (${noteAction(actor, 'deleted', 'webhook_endpoint', 'gone')})
    SELECT id FROM gone`);
  if (deleted.length === 0) notFound();
}

/** The endpoint, if it is switched on. @throws ApiError WEBHOOK_ENDPOINT_NOT_FOUND, _PAUSED */
export async function getEnabledEndpoint(
  accountId: string,
  id: string,
): Promise<{ eventTypes: EventType[] }> {
  const row = await database().webhookEndpoint.findFirst({
    where: { id, userId: accountId },
    select: { enabled: true, eventTypes: true },
  });
  if (!row) return notFound();
  if (!row.enabled) throw new ApiError('WEBHOOK_ENDPOINT_PAUSED');
  return { eventTypes: eventType.array().parse(row.eventTypes) };
}

/** The endpoint as a statement of this writer has left it. @throws ApiError WEBHOOK_ENDPOINT_NOT_FOUND */
async function readWritten(accountId: string, id: string, { write }: Writer) {
  const [endpoint] = await write<WebhookEndpoint>(selectEndpoint(accountId, id));
  return endpoint ?? notFound();
}

function notFound(): never {
  throw new ApiError('WEBHOOK_ENDPOINT_NOT_FOUND');
}

function distinct(eventTypes: EventType[]): EventType[] {
  return [...new Set(eventTypes)];
}

const previousSecretExpiresAt = Prisma.raw(wireInstantColumn('e.previous_secret_expires_at'));
const deliveryCreatedAt = Prisma.raw(wireInstantColumn('d.created_at'));

function selectEndpoint(accountId: string, id: string): Prisma.Sql {
  return selectEndpoints(Prisma.sql`e.user_id = ${accountId}::uuid AND e.id = ${id}::uuid`);
}

function selectEndpoints(condition: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    SELECT e.id, e.url, e.description, e.event_types, e.disabled_reason, e.failure_count,
      CASE WHEN e.enabled THEN 'enabled' WHEN e.disabled_reason IS NULL THEN 'paused'
        ELSE 'switched_off' END AS status,
      CASE WHEN e.previous_secret_expires_at > clock_timestamp() THEN ${previousSecretExpiresAt}
        END AS previous_secret_expires_at,
      ${wireInstants('e', 'failing_since', 'created_at', 'updated_at')}, last_day.counts AS last_day, last.delivery AS last_delivery
    FROM webhook_endpoints e
    CROSS JOIN LATERAL (
      SELECT json_build_object(
        'pending', count(*) FILTER (WHERE d.state = 'pending'),
        'succeeded', count(*) FILTER (WHERE d.state = 'succeeded'),
        'failed', count(*) FILTER (WHERE d.state = 'failed'),
        'success_share', count(*) FILTER (WHERE d.state = 'succeeded')::float8
          / nullif(count(*) FILTER (WHERE d.attempt_count > 0), 0)
      ) AS counts
      FROM (
        SELECT state, attempt_count FROM webhook_deliveries
        -- Stable, so that the index begins there: else a month of the log is read for its last day.
        WHERE endpoint_id = e.id AND created_at > statement_timestamp() - interval '24 hours'
        ORDER BY created_at DESC, id DESC LIMIT ${webhookLimits.countedDeliveries}::int
      ) d
    ) last_day
    LEFT JOIN LATERAL (
      SELECT json_build_object('id', d.id, 'state', d.state, 'created_at', ${deliveryCreatedAt})
        AS delivery
      FROM webhook_deliveries d WHERE d.endpoint_id = e.id
      ORDER BY d.created_at DESC, d.id DESC LIMIT 1
    ) last ON true
    WHERE ${condition}`;
}
