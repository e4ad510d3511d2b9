import { z } from 'zod';

/** What the dashboard shows of the account itself. */
export const account = z.object({
  email: z.string(),
  plan: z.enum(['free', 'paid']),
  /** In rows, events and uploaded files together. */
  stored_bytes: z.int(),
  quota_bytes: z.int(),
});

/** A browser that is signed in. */
export const session = z.object({
  id: z.uuid(),
  /** In words: `Firefox on Windows`. */
  device: z.string(),
  /** From where it signed in; null where that is not known. */
  address: z.string().nullable(),
  created_at: z.iso.datetime({ offset: true }),
  /** Up to ten minutes ago, while it is in use. */
  last_seen_at: z.iso.datetime({ offset: true }),
  /** The one that asks. */
  is_current: z.boolean(),
});

export const endSessionInput = z.object({ id: z.uuid() });

/** What a link in a mail lets its reader do. */
export const linkPurpose = z.enum(['reset-password', 'confirm-email']);
export type LinkPurpose = z.infer<typeof linkPurpose>;

/** Whether mails are sent, and what waits to be sent to this account. */
export const mailState = z.object({
  is_on: z.boolean(),
  waiting: z.int(),
  /** Why the last try failed, as a code; null where none did. */
  problem: z.string().nullable(),
});
