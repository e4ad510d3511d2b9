import { z } from 'zod';
import { uuid, wireId, wireInstant } from '../api/fields';
import { logCursor, logPageOf } from '../database/sql/log-cursor';

const subjectType = z.enum(['api_key', 'webhook_endpoint']);

export type SubjectType = z.infer<typeof subjectType>;

/** What was done. Where a key or an endpoint was switched and changed at once, the switch. */
const auditAction = z.enum([
  'created',
  'updated',
  'rotated',
  'deleted',
  /** Of a key, and of an endpoint by the service itself. */
  'switched_off',
  'switched_on',
  'paused',
  'resumed',
]);

export type AuditAction = z.infer<typeof auditAction>;

const actorType = z.enum(['session', 'api_key', 'command_line', 'service']);

/** The fields of which it is told what they were and what they became. */
const changedField = z.enum([
  'name',
  'scopes',
  'expires_at',
  'replaced_by',
  'url',
  'description',
  'event_types',
  'disabled_reason',
]);

export type ChangedField = z.infer<typeof changedField>;

const value = z.union([z.string(), z.array(z.string())]).nullable();

const auditEntry = z.object({
  id: wireId,
  created_at: wireInstant,
  action: auditAction,
  subject: z.object({
    type: subjectType,
    id: wireId,
    /** The name of the key, or the endpoint's URL, as of then. */
    name: z.string(),
    /** Of a key: the prefix and the last four characters. */
    hint: z.string().nullable(),
  }),
  changes: z.partialRecord(changedField, z.object({ before: value, after: value })),
  actor: z.object({
    type: actorType,
    /** The person's e-mail address, or the name of the key. */
    name: z.string().nullable(),
    /** Of a key. */
    hint: z.string().nullable(),
    /** Of a person: the address, or for IPv6 the network, that it came from. */
    address: z.string().nullable(),
  }),
});

export type AuditEntry = z.infer<typeof auditEntry>;

/** Newest first. `cursor` is the `next_cursor` of the page before. */
export const listAuditInput = z.object({
  /** Of one key or endpoint, also after it was deleted. */
  subject_id: uuid.optional(),
  limit: z.int().min(1).max(100).default(25),
  cursor: logCursor.nullish(),
});

export type ListAuditInput = z.output<typeof listAuditInput>;

export const auditPage = logPageOf(auditEntry);

export type AuditPage = z.infer<typeof auditPage>;
