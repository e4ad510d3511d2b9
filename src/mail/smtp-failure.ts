import { z } from 'zod';

const smtpFailure = z.object({
  code: z.string().optional(),
  /** What the system or TLS calls it. */
  originalCode: z.string().optional(),
  responseCode: z.number().optional(),
  command: z.string().optional(),
});

/** The code of a server that did not answer in time. */
export const timedOut = 'ETIMEDOUT';

/** What an error of nodemailer's says, without its text, in which servers may repeat what was sent. */
export function smtpFailureOf(error: unknown): z.infer<typeof smtpFailure> {
  return smtpFailure.safeParse(error).data ?? {};
}
