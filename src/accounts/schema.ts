import { z } from 'zod';

/** What the dashboard shows of the account itself. */
export const account = z.object({
  email: z.string(),
  plan: z.enum(['free', 'paid']),
  /** In rows, events and uploaded files together. */
  stored_bytes: z.int(),
  quota_bytes: z.int(),
});
