import { z } from 'zod';
import { database } from '../database/client';
import { Prisma } from '../database/generated/client';
import type { MailKind, MailWriter } from '../mail/kinds';
import { type Mode, modes } from '../mode';
import { webhookLimits } from './limits';
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

const { days, attempts } = webhookLimits.switchOffAfter;

/** The mails that are about endpoints, in words: one as it has failed for a day, one as it is off. */
export const endpointMails = {
  'endpoint-failing': async ({ accountId, accountEmail, data }, publicUrl) => {
    const about = told.safeParse(data).data;
    if (!accountEmail || !about) return undefined;
    const isFailing = Prisma.sql`e.enabled AND e.failing_since = e.mailed_failing_since`;
    if (!(await isStill(about.endpoint_id, accountId, isFailing))) return undefined;
    return {
      to: accountEmail,
      subject: `${inMode[about.mode].subject}A webhook endpoint has failed for a day`,
      text: `${inMode[about.mode].text}Since ${instantInWords(about.failing_since)}, this endpoint has taken no event. Tests, and what you sent again, do not count:

${about.url}

We go on trying. Once it has failed for ${days} days, and ${attempts} times at least, it is switched off. What its answers say, and how to send again what it missed:

${publicUrl}/webhooks/${about.endpoint_id}${inMode[about.mode].query}
`,
    };
  },

  'endpoint-switched-off': async ({ accountId, accountEmail, data }, publicUrl) => {
    const about = told.safeParse(data).data;
    if (!accountEmail || !about) return undefined;
    const isOff = Prisma.sql`NOT e.enabled AND e.disabled_reason IS NOT NULL`;
    if (!(await isStill(about.endpoint_id, accountId, isOff))) return undefined;
    const why =
      about.reason === 'gone'
        ? 'It answered 410, which asks for nothing more.'
        : `It has failed ${about.failures} times in a row since ${instantInWords(about.failing_since)}.`;
    return {
      to: accountEmail,
      subject: `${inMode[about.mode].subject}A webhook endpoint was switched off`,
      text: `${inMode[about.mode].text}This endpoint is sent nothing any more:

${about.url}

${why} Events of this time are lost for it. Mend what it answers, then resume it on its page:

${publicUrl}/webhooks/${about.endpoint_id}${inMode[about.mode].query}
`,
    };
  },
} satisfies Partial<Record<MailKind, MailWriter>>;

/**
 * Whether the person's endpoint is still as a mail says. It may have waited for days until a server took it,
 * and what was true then would have them look for a fault that is mended.
 */
async function isStill(
  endpointId: string,
  accountId: string | null,
  state: Prisma.Sql,
): Promise<boolean> {
  const rows = await database().$queryRaw<unknown[]>`
    SELECT 1 FROM webhook_endpoints e JOIN users u ON u.id = e.user_id
    WHERE e.id = ${endpointId}::uuid AND coalesce(u.live_user_id, u.id) = ${accountId}::uuid
      AND ${state}`;
  return rows.length > 0;
}

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
