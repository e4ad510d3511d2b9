import { Prisma } from '../database/generated/client';
import type { Actor } from './actor';
import type { AuditAction, ChangedField, SubjectType } from './schema';

/**
 * The INSERT that tells of a change, to stand as an expression of the statement that makes it: both
 * are committed, or neither, and where nothing was changed nothing is told.
 *
 * `rows` is a SELECT of
 *   - the columns of `subjects`
 *   - `action`: one of `auditAction`
 *   - `changes` (json): see `changesOf`
 *
 * Who did it is looked up as of that moment: a key may be renamed, and a person have another address.
 */
export function noteChanges(actor: Actor, rows: Prisma.Sql): Prisma.Sql {
  const { name, hint, address } = described(actor);
  return Prisma.sql`
    INSERT INTO audit_entries (user_id, subject_type, subject_id, subject_name, subject_hint, action,
      changes, actor_type, actor_name, actor_hint, actor_address)
    SELECT row.user_id, row.subject_type, row.subject_id, row.subject_name, row.subject_hint,
      row.action, row.changes, ${actor.type}::text, ${name}, ${hint}, ${address}
    FROM (${rows}) row`;
}

/** Expressions that returned keys or endpoints, by the names that their statements give them. */
type Source =
  | 'made'
  | 'after'
  | 'ended'
  | 'gone'
  | 'rotated'
  | 'judged'
  | 'keys_off'
  | 'endpoints_paused';

/**
 * The same of an action that changes no field of which is told, on the keys or endpoints that the
 * expression `source` returned.
 */
export function noteAction(
  actor: Actor,
  action: AuditAction,
  type: SubjectType,
  source: Source,
): Prisma.Sql {
  const what = Prisma.raw(`'${action}' AS action, '{}'::json AS changes FROM ${source}`);
  return noteChanges(actor, Prisma.sql`SELECT ${subjects(type, source)}, ${what}`);
}

/** Which keys or endpoints it is about: those that the expression `source` returned. */
export function subjects(type: SubjectType, source: Source): Prisma.Sql {
  const [name, hint] =
    type === 'api_key' ? [`${source}.name`, `${source}.hint`] : [`${source}.url`, 'NULL::text'];
  return Prisma.raw(`${source}.user_id, '${type}' AS subject_type, ${source}.id AS subject_id,
    ${name} AS subject_name, ${hint} AS subject_hint`);
}

type Values = [before: string, after: string];

/**
 * JSON of the fields that differ, `{ field: { before, after } }`; `{}` where none does. Values are
 * expressions in SQL, trusted text, never a client's.
 */
export function changesOf(fields: Partial<Record<ChangedField, Values>>): Prisma.Sql {
  const lines = Object.entries(fields).map(
    ([field, [before, after]]) => `('${field}', to_jsonb(${before}), to_jsonb(${after}))`,
  );
  return Prisma.raw(`(
    SELECT coalesce(json_object_agg(field, json_build_object('before', before, 'after', after)), '{}')
    FROM (VALUES ${lines.join(', ')}) change (field, before, after)
    WHERE before IS DISTINCT FROM after)`);
}

/** Of an expression `told` with the columns of `rows`, but for updates that have changed nothing. */
export const toldChanges = Prisma.sql`
  SELECT * FROM told WHERE NOT (action = 'updated' AND changes::text = '{}')`;

const none = Prisma.sql`NULL::text`;

function described(actor: Actor): Record<'name' | 'hint' | 'address', Prisma.Sql> {
  switch (actor.type) {
    case 'session':
      return {
        // Of the session, where there is one: a test account has no address of its own.
        name: Prisma.sql`coalesce(
          (SELECT person.email FROM sessions JOIN users person ON person.id = sessions.user_id
            WHERE sessions.id = ${actor.sessionId ?? null}::uuid),
          (SELECT coalesce(live.email, person.email)
            FROM users person LEFT JOIN users live ON live.id = person.live_user_id
            WHERE person.id = row.user_id))`,
        hint: none,
        address: Prisma.sql`${actor.address ?? null}::text`,
      };
    case 'api_key': {
      const ofKey = (column: 'name' | 'hint') => Prisma.sql`
        (SELECT ${Prisma.raw(column)} FROM api_keys actor
          WHERE actor.id = ${actor.keyId ?? null}::uuid AND actor.user_id = row.user_id)`;
      return { name: ofKey('name'), hint: ofKey('hint'), address: none };
    }
    default:
      return { name: none, hint: none, address: none };
  }
}
