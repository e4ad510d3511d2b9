import { z } from 'zod';
import { atMost, utcInstant, uuid, wireId, wireInstant } from '../api/fields';
import { logCursor, logPageOf } from '../database/sql/log-cursor';

/** Of a request's query or body: what stood there, masked unless it is known to be harmless. */
const sentField = z.object({
  /** Null for a name that may hold what people wrote. */
  name: z.string().nullable(),
  /** `text, 12 characters`, `list of 3`. */
  type: z.string(),
  /** Null where it is masked. */
  value: z.string().nullable(),
  /** Whether the operation knows a field of this name. */
  is_known: z.boolean(),
});

export type SentField = z.infer<typeof sentField>;

/** What was wrong with a request: where, and by which rule. Empty where it is about the whole. */
const problem = z.object({ path: z.string(), message: z.string() });

export type Problem = z.infer<typeof problem>;

/** What is kept of a request beside its columns. */
export const detail = z.object({
  query: z.array(sentField).optional(),
  body: z.union([z.array(sentField), z.string()]).optional(),
  problems: z.array(problem).optional(),
  /** How many there were beside these. */
  more_problems: z.int().optional(),
  /** What the answer said, where it is not the same for every error of its code. */
  message: z.string().optional(),
  /** Whether something is missing here, for its length. */
  is_cut: z.boolean().optional(),
});

export type Detail = z.infer<typeof detail>;

/** A line of the log: a request, or a count of those that have no line of their own. */
const loggedRequest = z.object({
  id: wireId,
  received_at: wireInstant,
  status: z.int(),
  /** One, where it is a request. */
  count: z.int(),
  /** Null where it is a count, as all that follows. */
  method: z.string().nullable(),
  /** The template; null for a path that is none. */
  route: z.string().nullable(),
  path: z.string().nullable(),
  duration_ms: z.number().nullable(),
  key_id: z.string().nullable(),
  /** Null for a key that was deleted, as its hint. */
  key_name: z.string().nullable(),
  key_hint: z.string().nullable(),
  /** Of the error that was answered. */
  code: z.string().nullable(),
  /** What was wrong, in a sentence. */
  reason: z.string().nullable(),
});

export type LoggedRequest = z.infer<typeof loggedRequest>;

export const requestWithDetail = loggedRequest.extend({
  query: z.array(sentField),
  /** Text where it was no object. Null where none is kept: of a request that succeeded. */
  body: z.union([z.array(sentField), z.string()]).nullable(),
  problems: z.array(problem),
  /** How many there were beside these. */
  more_problems: z.int(),
  is_cut: z.boolean(),
});

export type RequestWithDetail = z.infer<typeof requestWithDetail>;

export const requestIdInput = z.object({ id: uuid });

/** Newest first. `cursor` is the `next_cursor` of the page before. */
export const listRequestsInput = z.object({
  status: z.enum(['2xx', '3xx', '4xx', '5xx']).optional(),
  /** Method and template: `GET /testimonials/{id}`. */
  operation: atMost(100)
    .regex(/^[A-Z]+ \/[\w{}/-]*$/)
    .optional(),
  key_id: uuid.optional(),
  from: utcInstant.optional(),
  /** Not included. */
  to: utcInstant.optional(),
  last_hours: z.int().min(1).max(168).optional(),
  limit: z.int().min(1).max(100).default(50),
  cursor: logCursor.nullish(),
});

export type ListRequestsInput = z.output<typeof listRequestsInput>;

export const requestPage = logPageOf(loggedRequest);

export type RequestPage = z.infer<typeof requestPage>;

export const volumeInput = z.object({ hours: z.int().min(1).max(168).default(24) });

/** Requests by the hour, of all keys. */
export const volume = z.object({
  /** Requests that the account may send within an hour. Contract, section 8. */
  limit: z.int(),
  /** Oldest first, without a gap; the last one is under way. */
  hours: z.array(
    z.object({
      hour_at: wireInstant,
      /** 2xx and 3xx. */
      succeeded: z.int(),
      /** 4xx. */
      refused: z.int(),
      /** 5xx. */
      failed: z.int(),
    }),
  ),
  /** There are more than are counted: those of the oldest hours are missing. */
  is_partial: z.boolean(),
});

export type Volume = z.infer<typeof volume>;

/** The account's keys, the last used first, as far as a filter can offer them. */
export const keyChoices = z.array(z.object({ id: wireId, name: z.string(), hint: z.string() }));

export type KeyChoices = z.infer<typeof keyChoices>;
