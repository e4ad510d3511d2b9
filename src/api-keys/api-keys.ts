import { ApiError } from '../api/errors';
import { scope } from '../api/scopes';
import type { Actor } from '../audit/actor';
import { changesOf, noteAction, noteChanges, subjects, toldChanges } from '../audit/note';
import { database } from '../database/client';
import { Prisma, type ApiKey as Row } from '../database/generated/client';
import { wireInstantColumn } from '../database/sql/instants';
import { directWriter } from '../database/writer';
import type { Mode } from '../mode';
import { newIdentity } from './identity';
import { digestKey, formatKey, hintOf } from './key';
import type { ApiKey, ApiKeyChanges, CreateApiKeyInput, OverlapHours } from './schema';

/** All of them are read and listed at once. */
export const keysPerAccount = 1000;

/** The last that a key can be asked for with: answers write four digits of a year. */
const latestExpiry = '9999-12-31T23:59:59.999Z';

/** Every key of the account, newest first. */
export async function listApiKeys(accountId: string): Promise<ApiKey[]> {
  const rows = await database().apiKey.findMany({
    where: { userId: accountId },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
  return rows.map(toWire);
}

/** @throws ApiError API_KEY_NOT_FOUND */
export async function getApiKey(accountId: string, id: string): Promise<ApiKey> {
  const row = await database().apiKey.findFirst({ where: { id, userId: accountId } });
  return toWire(row ?? notFound());
}

/**
 * Makes a key. The answer is the only place where the key itself ever appears; asked for again with the
 * same Idempotency-Key, it is the same answer. As with every change here, who made it is noted in the
 * same statement.
 * @throws ApiError API_KEY_DISABLED on the free plan (contract, section 5.8), LIMIT_EXCEEDED,
 * IDEMPOTENCY_KEY_REUSED
 */
export async function createApiKey(
  accountId: string,
  input: CreateApiKeyInput,
  actor: Actor,
  idempotencyKey?: string,
): Promise<ApiKey & { key: string }> {
  const { id, random } = newIdentity(accountId, idempotencyKey, input);
  const key = formatKey(await paidMode(accountId), random);
  const made = await database().$executeRaw`
    WITH made AS (
      INSERT INTO api_keys (id, user_id, name, digest, hint, scopes, expires_at)
      SELECT ${id}::uuid, ${accountId}::uuid, ${input.name}, ${digestKey(key)}, ${hintOf(key)},
        ${input.scopes}::text[], ${input.expires_at ?? null}::timestamptz
      WHERE ${hasRoom(accountId)}
      ON CONFLICT DO NOTHING
      RETURNING *
    )
    ${noteChanges(actor, madeKey)}`;
  if (made === 0) return (await madeBefore(accountId, id, key)) ?? tooMany();
  return { ...(await getApiKey(accountId, id)), key };
}

/** The account a key belongs to, for whoever runs the service. @throws ApiError API_KEY_NOT_FOUND */
export async function apiKeyOwner(id: string): Promise<string> {
  const key = await database().apiKey.findUnique({ where: { id }, select: { userId: true } });
  return key?.userId ?? notFound();
}

/**
 * Changes what is given, from the next request with the key on: it is looked up for each.
 * @throws ApiError API_KEY_NOT_FOUND
 */
export async function updateApiKey(
  accountId: string,
  id: string,
  { name, scopes, enabled, expires_at }: ApiKeyChanges,
  actor: Actor,
): Promise<ApiKey> {
  const assignments = [Prisma.sql`name = coalesce(${name ?? null}::text, before.name)`];
  if (scopes !== undefined) assignments.push(Prisma.sql`scopes = ${scopes}::text[]`);
  if (enabled !== undefined) assignments.push(Prisma.sql`enabled = ${enabled}`);
  if (expires_at !== undefined) {
    assignments.push(Prisma.sql`expires_at = ${expires_at}::timestamptz`);
  }
  await database().$executeRaw`
    WITH before AS MATERIALIZED (${selectKey(accountId, id)} FOR UPDATE),
    after AS (
      UPDATE api_keys SET ${Prisma.join(assignments, ', ')}
      FROM before WHERE api_keys.id = before.id
      RETURNING api_keys.*
    ),
    told AS (
      SELECT ${subjects('api_key', 'after')}, ${changesOf({
        name: ['before.name', 'after.name'],
        scopes: ['before.scopes', 'after.scopes'],
        expires_at: [wireInstantColumn('before.expires_at'), wireInstantColumn('after.expires_at')],
      })} AS changes,
        CASE WHEN before.enabled = after.enabled THEN 'updated'
          WHEN after.enabled THEN 'switched_on' ELSE 'switched_off' END AS action
      FROM after JOIN before ON before.id = after.id
    )
    ${noteChanges(actor, toldChanges)}`;
  return getApiKey(accountId, id);
}

/**
 * Makes a key to take the place of another: same name, same scopes, and where the old one was made
 * for a time, for as long a time from now. The old one works for `overlapHours` more, or until its
 * own expiry where that is sooner. That cuts its life short: rotated once more, it passes on that of
 * the key that has its place. Once that one is deleted, nothing tells it any more.
 * @throws ApiError API_KEY_NOT_FOUND, API_KEY_DISABLED on the free plan, LIMIT_EXCEEDED,
 * IDEMPOTENCY_KEY_REUSED
 */
export async function rotateApiKey(
  accountId: string,
  id: string,
  overlapHours: OverlapHours,
  actor: Actor,
  idempotencyKey?: string,
): Promise<ApiKey & { key: string }> {
  const identity = newIdentity(accountId, idempotencyKey, { id, overlapHours });
  const { id: replacement, random } = identity;
  const key = formatKey(await paidMode(accountId), random);
  // Of two at once the second sees the key that the first has made: the life it passes on is that one's.
  const [created] = await directWriter.writeInOrder<{ id: string }>([
    Prisma.sql`${selectKey(accountId, id)} FOR UPDATE`,
    // One statement, so that there is never an ended old key and no new one.
    Prisma.sql`
    WITH before AS (
      ${selectKey(accountId, id)} AND ${hasRoom(accountId)}
        AND NOT EXISTS (SELECT FROM api_keys WHERE id = ${replacement}::uuid)
    ), ended AS (
      UPDATE api_keys
      SET replaced_by = ${replacement}::uuid, expires_at = least(api_keys.expires_at, now() + make_interval(hours => ${overlapHours}::int))
      FROM before WHERE api_keys.id = before.id
      RETURNING api_keys.*
    ), made AS (
      INSERT INTO api_keys (id, user_id, name, digest, hint, scopes, expires_at)
      SELECT ${replacement}::uuid, before.user_id, before.name, ${digestKey(key)}, ${hintOf(key)},
        before.scopes,
        CASE WHEN life IS NOT NULL THEN least(now() + life, ${latestExpiry}::timestamptz) END
      FROM before LEFT JOIN api_keys AS latest ON latest.id = before.replaced_by,
        LATERAL (SELECT CASE WHEN latest.id IS NULL THEN before.expires_at - before.created_at
          ELSE latest.expires_at - latest.created_at END AS life) passed_on
      RETURNING *
    ), rotated AS (
      SELECT ${subjects('api_key', 'ended')}, 'rotated' AS action, ${changesOf({
        expires_at: [wireInstantColumn('before.expires_at'), wireInstantColumn('ended.expires_at')],
        replaced_by: ['NULL::text', 'made.hint'],
      })} AS changes
      FROM ended JOIN before ON before.id = ended.id CROSS JOIN made
    ), noted AS (${noteChanges(actor, Prisma.sql`SELECT * FROM rotated`)}),
    noted_made AS (${noteChanges(actor, madeKey)})
    SELECT id FROM made`,
  ]);
  if (created) return { ...(await getApiKey(accountId, created.id)), key };
  const before = await madeBefore(accountId, replacement, key);
  if (before) return before;
  await getApiKey(accountId, id);
  return tooMany();
}

/**
 * What was answered as the key was made, if it was, by now: its name may be another.
 * @throws ApiError IDEMPOTENCY_KEY_REUSED where it was asked for with other wishes
 */
async function madeBefore(accountId: string, id: string, key: string) {
  const row = await database().apiKey.findFirst({ where: { id, userId: accountId } });
  if (!row) return undefined;
  if (row.digest !== digestKey(key)) throw new ApiError('IDEMPOTENCY_KEY_REUSED');
  return { ...toWire(row), key };
}

/** Revokes the key at once. @throws ApiError API_KEY_NOT_FOUND */
export async function deleteApiKey(accountId: string, id: string, actor: Actor): Promise<void> {
  const noted = await database().$executeRaw`
    WITH gone AS (
      DELETE FROM api_keys WHERE id = ${id}::uuid AND user_id = ${accountId}::uuid RETURNING *
    )
    ${noteAction(actor, 'deleted', 'api_key', 'gone')}`;
  if (noted === 0) notFound();
}

/** Of several at once each may be the last: it is a bound, and not a number to count on. */
function hasRoom(accountId: string): Prisma.Sql {
  return Prisma.sql`(SELECT count(*) FROM api_keys WHERE user_id = ${accountId}::uuid)
    < ${keysPerAccount}::int`;
}

function tooMany(): never {
  throw new ApiError('LIMIT_EXCEEDED', {
    message: `An account may have ${keysPerAccount} API keys. Delete one first.`,
  });
}

function selectKey(accountId: string, id: string): Prisma.Sql {
  return Prisma.sql`
    SELECT * FROM api_keys WHERE id = ${id}::uuid AND user_id = ${accountId}::uuid`;
}

/**
 * Locks every key of the accounts whose ids the expression `accounts` has, trusted text: the one that took
 * the place of another before that one, as where it alone is deleted.
 */
export function lockedKeys(accounts: string): Prisma.Sql {
  return Prisma.sql`
    SELECT id FROM api_keys WHERE user_id IN (SELECT id FROM ${Prisma.raw(accounts)})
    ORDER BY created_at DESC, id DESC FOR UPDATE`;
}

/** What is told of the key that the expression `made` returned. */
const madeKey = Prisma.sql`
  SELECT ${subjects('api_key', 'made')}, 'created' AS action, ${changesOf({
    scopes: ['NULL::text[]', 'made.scopes'],
    expires_at: ['NULL::text', wireInstantColumn('made.expires_at')],
  })} AS changes
  FROM made`;

export const freePlanMessage =
  'The API is part of the paid plan, and this account is on the free plan.';

/** The mode of an account, which may have keys. @throws ApiError API_KEY_DISABLED on the free plan */
async function paidMode(accountId: string): Promise<Mode> {
  const { plan, liveUserId } = await database().user.findUniqueOrThrow({
    where: { id: accountId },
    select: { plan: true, liveUserId: true },
  });
  if (plan === 'free') throw new ApiError('API_KEY_DISABLED', { message: freePlanMessage });
  return liveUserId === null ? 'live' : 'test';
}

function notFound(): never {
  throw new ApiError('API_KEY_NOT_FOUND');
}

function toWire(row: Row): ApiKey {
  return {
    id: row.id,
    name: row.name,
    hint: row.hint,
    scopes: scope.array().parse(row.scopes),
    enabled: row.enabled,
    expires_at: row.expiresAt,
    last_used_at: row.lastUsedAt,
    created_at: row.createdAt,
    replaced_by: row.replacedBy,
  };
}
