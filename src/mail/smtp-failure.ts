import { z } from 'zod';

const smtpFailure = z.object({
  code: z.string().optional(),
  /** What the system or TLS calls it. */
  originalCode: z.string().optional(),
  responseCode: z.number().optional(),
  /** The server's reason in numbers, as 5.1.1 of a mailbox that it does not know. RFC 3463. */
  response: z
    .string()
    .transform((text) => /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})(?!\S)/.exec(text)?.[1])
    .optional(),
  command: z.string().optional(),
});

/** The code of a server that did not answer in time. */
export const timedOut = 'ETIMEDOUT';

/** What an error of nodemailer's says, without its text, in which servers may repeat what was sent. */
export function smtpFailureOf(error: unknown) {
  const { response: reason, ...failure } = smtpFailure.safeParse(error).data ?? {};
  return { ...failure, reason };
}
