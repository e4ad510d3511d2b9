import { z } from 'zod';
import type { MailKind, MailWriter } from '../mail/kinds';
import { type Mode, modes } from '../mode';
import { disabledReason } from './schema';

/** As `recordOutcomes` queues it. The endpoint may be gone by the time it is told of. */
const told = z.object({
  endpoint_id: z.uuid(),
  url: z.string(),
  reason: disabledReason.nullable(),
  failing_since: z.string(),
  failures: z.int(),
  /** Not in what a version before test mode has queued. */
  mode: z.enum(modes).default('live'),
});

/** The mails that are about endpoints, in words: one as it has failed for a day, one as it is off. */
export const endpointMails = {
  'endpoint-failing': ({ accountEmail, data }, publicUrl) => {
    const about = told.safeParse(data).data;
    if (!accountEmail || !about) return undefined;
    return {
      to: accountEmail,
      subject: `${inMode[about.mode].subject}A webhook endpoint has failed for a day`,
      text: `${inMode[about.mode].text}Since ${instantInWords(about.failing_since)}, everything sent to this endpoint has failed, but for tests and what was sent again by hand, which do not count:

${about.url}

We go on trying. If it fails for five days, it is switched off. What its answers say, and how to send again what it missed:

${publicUrl}/webhooks/${about.endpoint_id}${inMode[about.mode].query}
`,
    };
  },

  'endpoint-switched-off': ({ accountEmail, data }, publicUrl) => {
    const about = told.safeParse(data).data;
    if (!accountEmail || !about) return undefined;
    const why =
      about.reason === 'gone'
        ? 'It answered 410, which asks for nothing more.'
        : `It has failed ${about.failures} times in a row since ${instantInWords(about.failing_since)}.`;
    return {
      to: accountEmail,
      subject: `${inMode[about.mode].subject}A webhook endpoint was switched off`,
      text: `${inMode[about.mode].text}This endpoint is sent nothing any more:

${about.url}

${why} Mend what it answers, then switch it on again, on its page:

${publicUrl}/webhooks/${about.endpoint_id}${inMode[about.mode].query}
`,
    };
  },
} satisfies Partial<Record<MailKind, MailWriter>>;

/** What a mail about test data has beside the words. */
const inMode = {
  live: { subject: '', text: '', query: '' },
  test: {
    subject: 'Test mode: ',
    text: 'This is about an endpoint of your test data. Nothing live is concerned.\n\n',
    query: '?mode=test',
  },
} as const satisfies Record<Mode, Record<string, string>>;

/** `2026-01-15 10:30 UTC`. */
function instantInWords(iso: string): string {
  return `${iso.slice(0, 16).replace('T', ' ')} UTC`;
}
