import { z } from 'zod';

/** What the dashboard shows of the account itself. */
export const account = z.object({
  email: z.string(),
  plan: z.enum(['free', 'paid']),
});
