import type { AuditAction, AuditEntry, ChangedField, SubjectType } from '@/src/audit/schema';
import type { DisabledReason } from '@/src/webhooks/schema';

const switched = {
  updated: 'changed',
  deleted: 'deleted',
  switched_off: 'switched off',
  switched_on: 'switched on',
  paused: 'paused',
  resumed: 'resumed',
};

/** What was done, as what somebody did. */
const deeds: Record<SubjectType, Record<AuditAction, string>> = {
  api_key: { ...switched, created: 'created', rotated: 'rotated' },
  webhook_endpoint: { ...switched, created: 'added', rotated: 'rotated the secret of' },
};

const kinds: Record<SubjectType, string> = { api_key: 'the key', webhook_endpoint: 'the endpoint' };

/** `rotated the secret of the endpoint`; a name follows. */
export function deedOf({ action, subject }: AuditEntry): string {
  return `${deeds[subject.type][action]} ${kinds[subject.type]}`;
}

/** Who it was, and the name where there is one. */
export function actorOf({ actor }: AuditEntry): { kind: string; name: string | null } {
  switch (actor.type) {
    case 'session':
      return { kind: actor.name ? '' : 'Somebody signed in', name: actor.name };
    case 'api_key':
      return { kind: actor.name ? 'The key' : 'A key', name: actor.name };
    case 'command_line':
      return { kind: 'The command line', name: null };
    case 'service':
      return { kind: 'The service', name: null };
  }
}

/** In the order in which they are told. */
const fields: Record<ChangedField, string> = {
  name: 'Name',
  url: 'URL',
  description: 'Description',
  scopes: 'Scopes',
  event_types: 'Events',
  expires_at: 'Expires',
  replaced_by: 'Replaced by',
  disabled_reason: 'Because',
};

const reasons: Record<DisabledReason, string> = {
  gone: 'it answered 410',
  failing: 'it did nothing but fail for days',
};

// What has no other keys than its type says.
const fieldNames = Object.keys(fields) as ChangedField[];

type Value = string | string[] | null;

/**
 * Of each changed field what it is called, what it was and what it became. Of what was made, or can
 * have had none before, only the latter.
 */
export function changesOf(entry: AuditEntry): { name: string; before?: string; after: string }[] {
  return fieldNames.flatMap((field) => {
    const change = entry.changes[field];
    if (!change) return [];
    const hasBefore =
      entry.action !== 'created' && field !== 'replaced_by' && field !== 'disabled_reason';
    const after = inWords(field, change.after);
    return [
      { name: fields[field], after, ...(hasBefore && { before: inWords(field, change.before) }) },
    ];
  });
}

function inWords(field: ChangedField, value: Value): string {
  if (value === null) return field === 'expires_at' ? 'never' : 'nothing';
  if (Array.isArray(value)) return value.join(', ');
  if (field === 'expires_at') return `${value.slice(0, 16).replace('T', ' ')} UTC`;
  return field === 'disabled_reason' && isReason(value) ? reasons[value] : value;
}

function isReason(value: string): value is DisabledReason {
  return Object.hasOwn(reasons, value);
}
