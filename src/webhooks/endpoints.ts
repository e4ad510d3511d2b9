import { randomUUID } from 'node:crypto';
import { ApiError } from '../api/errors';
import { database } from '../database/client';
import { Prisma } from '../database/generated/client';
import { wireInstantColumn } from '../database/sql';
import { env } from '../env';
import { resolveByDns } from '../outbound/address';
import { RefusedUrlError, readUrl, refusePrivateHost } from '../outbound/url';
import type { EventType } from '../outbox/event-types';
import { webhookLimits } from './limits';
import {
  type CreateEndpointInput,
  type EndpointChanges,
  eventType,
  type WebhookEndpoint,
} from './schema';
import { encryptSecret, formatSecret, generateSecret } from './secret';

/** Every endpoint of the account with its state of health, newest first. */
export function listEndpoints(accountId: string): Promise<WebhookEndpoint[]> {
  return read(Prisma.sql`e.user_id = ${accountId}::uuid`);
}

/** @throws ApiError WEBHOOK_ENDPOINT_NOT_FOUND */
export async function getEndpoint(accountId: string, id: string): Promise<WebhookEndpoint> {
  const [endpoint] = await read(Prisma.sql`e.user_id = ${accountId}::uuid AND e.id = ${id}::uuid`);
  return endpoint ?? notFound();
}

/**
 * Makes an endpoint and its signing secret. The answer is one of the two places where a secret
 * appears; the other is the answer to its rotation.
 * @throws ApiError INVALID_WEBHOOK_URL, INVALID_EVENT_TYPES, LIMIT_EXCEEDED
 */
export async function createEndpoint(
  accountId: string,
  input: CreateEndpointInput,
): Promise<WebhookEndpoint & { secret: string }> {
  const eventTypes = readEventTypes(input.event_types);
  await checkUrl(input.url);
  const id = randomUUID();
  const secret = generateSecret();
  const db = database();
  // Two at once take turns at the account's row, and the second counts what the first has made.
  const [, created] = await db.$transaction([
    db.$executeRaw`SELECT id FROM users WHERE id = ${accountId}::uuid FOR NO KEY UPDATE`,
    db.$executeRaw`
      INSERT INTO webhook_endpoints (id, user_id, url, description, event_types, encrypted_secret)
      SELECT ${id}::uuid, ${accountId}::uuid, ${input.url}, ${input.description ?? null},
        ${eventTypes}::text[], ${encryptSecret(secret, id)}
      WHERE (SELECT count(*) FROM webhook_endpoints WHERE user_id = ${accountId}::uuid)
        < ${webhookLimits.endpointsPerAccount}::int`,
  ]);
  if (created === 0) {
    throw new ApiError('LIMIT_EXCEEDED', {
      message: `An account may have ${webhookLimits.endpointsPerAccount} webhook endpoints. Delete one first.`,
    });
  }
  return { ...(await getEndpoint(accountId, id)), secret: formatSecret(secret) };
}

/**
 * Changes what is given. Paused, the endpoint gets no new deliveries and what is pending waits.
 * Resumed, or sent elsewhere, it starts without a failure streak.
 * @throws ApiError WEBHOOK_ENDPOINT_NOT_FOUND, INVALID_WEBHOOK_URL, INVALID_EVENT_TYPES
 */
export async function updateEndpoint(
  accountId: string,
  id: string,
  changes: EndpointChanges,
): Promise<WebhookEndpoint> {
  const { url, event_types, description, enabled } = changes;
  const assignments = [Prisma.sql`updated_at = clock_timestamp()`];
  if (event_types !== undefined) {
    assignments.push(Prisma.sql`event_types = ${readEventTypes(event_types)}::text[]`);
  }
  if (url !== undefined) {
    await checkUrl(url);
    assignments.push(Prisma.sql`url = ${url}`);
  }
  if (description !== undefined) assignments.push(Prisma.sql`description = ${description}`);
  if (enabled !== undefined) {
    assignments.push(Prisma.sql`enabled = ${enabled}, disabled_reason = NULL`);
  }
  if (enabled || url !== undefined) {
    assignments.push(Prisma.sql`failing_since = NULL, failure_count = 0`);
  }
  const updated = await database().$executeRaw`
    UPDATE webhook_endpoints SET ${Prisma.join(assignments, ', ')}
    WHERE id = ${id}::uuid AND user_id = ${accountId}::uuid`;
  if (updated === 0) notFound();
  return getEndpoint(accountId, id);
}

/**
 * Replaces the signing secret. The old one signs beside the new one for 24 hours, so that a
 * receiver can be changed over without losing a delivery.
 * @throws ApiError WEBHOOK_ENDPOINT_NOT_FOUND
 */
export async function rotateSecret(
  accountId: string,
  id: string,
): Promise<WebhookEndpoint & { secret: string }> {
  const secret = generateSecret();
  const rotated = await database().$executeRaw`
    UPDATE webhook_endpoints SET
      previous_encrypted_secret = encrypted_secret,
      previous_secret_expires_at =
        clock_timestamp() + make_interval(hours => ${webhookLimits.previousSecretHours}::int),
      encrypted_secret = ${encryptSecret(secret, id)},
      updated_at = clock_timestamp()
    WHERE id = ${id}::uuid AND user_id = ${accountId}::uuid`;
  if (rotated === 0) notFound();
  return { ...(await getEndpoint(accountId, id)), secret: formatSecret(secret) };
}

/** With its deliveries, sent or not. @throws ApiError WEBHOOK_ENDPOINT_NOT_FOUND */
export async function deleteEndpoint(accountId: string, id: string): Promise<void> {
  const deleted = await database().$executeRaw`
    DELETE FROM webhook_endpoints WHERE id = ${id}::uuid AND user_id = ${accountId}::uuid`;
  if (deleted === 0) notFound();
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

function notFound(): never {
  throw new ApiError('WEBHOOK_ENDPOINT_NOT_FOUND');
}

/** @throws ApiError INVALID_EVENT_TYPES */
function readEventTypes(names: string[]): EventType[] {
  const choice = `Choose from: ${eventType.options.join(', ')}.`;
  if (names.length === 0) {
    throw new ApiError('INVALID_EVENT_TYPES', { message: `Choose at least one event. ${choice}` });
  }
  const known = eventType.array().safeParse(names);
  if (!known.success) {
    throw new ApiError('INVALID_EVENT_TYPES', { message: `There is no such event. ${choice}` });
  }
  return [...new Set(known.data)];
}

/** @throws ApiError INVALID_WEBHOOK_URL */
async function checkUrl(text: string): Promise<void> {
  const allowPrivate = env().ALLOW_PRIVATE_NETWORK;
  try {
    if (text.length > webhookLimits.urlCharacters) {
      throw new RefusedUrlError(`The URL is over ${webhookLimits.urlCharacters} characters long.`);
    }
    const url = readUrl(text, { allowPrivate });
    if (!allowPrivate) await refusePrivateHost(url, resolveByDns);
  } catch (error) {
    if (!(error instanceof RefusedUrlError)) throw error;
    throw new ApiError('INVALID_WEBHOOK_URL', { message: error.message });
  }
}

const instants = Prisma.raw(
  ['failing_since', 'created_at', 'updated_at']
    .map((name) => `${wireInstantColumn(`e.${name}`)} AS ${name}`)
    .join(', '),
);

const previousSecretExpiresAt = Prisma.raw(wireInstantColumn('e.previous_secret_expires_at'));
const deliveryCreatedAt = Prisma.raw(wireInstantColumn('d.created_at'));

function read(condition: Prisma.Sql): Promise<WebhookEndpoint[]> {
  return database().$queryRaw<WebhookEndpoint[]>`
    SELECT e.id, e.url, e.description, e.event_types, e.disabled_reason, e.failure_count,
      CASE WHEN e.enabled THEN 'enabled' WHEN e.disabled_reason IS NULL THEN 'paused'
        ELSE 'switched_off' END AS status,
      CASE WHEN e.previous_secret_expires_at > clock_timestamp() THEN ${previousSecretExpiresAt}
        END AS previous_secret_expires_at,
      ${instants}, last_day.counts AS last_day, last.delivery AS last_delivery
    FROM webhook_endpoints e
    CROSS JOIN LATERAL (
      SELECT json_build_object(
        'pending', count(*) FILTER (WHERE d.state = 'pending'),
        'succeeded', count(*) FILTER (WHERE d.state = 'succeeded'),
        'failed', count(*) FILTER (WHERE d.state = 'failed'),
        'success_share', count(*) FILTER (WHERE d.state = 'succeeded')::float8
          / nullif(count(*) FILTER (WHERE d.attempt_count > 0), 0)
      ) AS counts
      FROM webhook_deliveries d
      WHERE d.endpoint_id = e.id AND d.created_at > clock_timestamp() - interval '24 hours'
    ) last_day
    LEFT JOIN LATERAL (
      SELECT json_build_object('id', d.id, 'state', d.state, 'created_at', ${deliveryCreatedAt})
        AS delivery
      FROM webhook_deliveries d WHERE d.endpoint_id = e.id
      ORDER BY d.created_at DESC, d.id DESC LIMIT 1
    ) last ON true
    WHERE ${condition}
    ORDER BY e.created_at DESC, e.id DESC`;
}
