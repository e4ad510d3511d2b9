import { z } from 'zod';
import { database } from '../database/client';
import { Prisma } from '../database/generated/client';
import type { MailKind, MailWriter } from '../mail/kinds';
import { queueMails } from '../mail/queue';
import { openLink, tokenOf } from './links';

const changing = z.object({ email: z.string() });

/** The mails that are about the account itself, in words. */
export const accountMails = {
  'reset-password': async ({ id, recipient }, publicUrl) => {
    const account = await database().user.findFirst({
      where: { email: recipient ?? '', closedAt: null, liveUserId: null },
      select: { id: true, email: true },
    });
    if (!account || !(await openLink(id, 'reset-password', account))) return undefined;
    return {
      to: account.email,
      subject: 'Set a new password',
      text: `Somebody asked for a new password for your testimonials account. To set one, open this link within an hour of that:

${publicUrl}/reset-password#${tokenOf(id)}

It works once, and signs you out everywhere else.

Was it not you? Then do nothing: your password stays as it is.
`,
    };
  },

  'confirm-email': async ({ id, accountId, recipient }, publicUrl) => {
    if (!accountId || !recipient) return undefined;
    if (!(await openLink(id, 'confirm-email', { id: accountId, email: recipient }))) {
      return undefined;
    }
    return {
      to: recipient,
      subject: 'Confirm your e-mail address',
      text: `Somebody asked for this address to be the one of a testimonials account. To confirm it, open this link within an hour of that:

${publicUrl}/confirm-email#${tokenOf(id)}

Was it not you? Then do nothing, and nothing changes.
`,
    };
  },

  'email-changing': ({ recipient, data }, publicUrl) => {
    const told = changing.safeParse(data);
    if (!recipient || !told.success) return undefined;
    return {
      to: recipient,
      subject: 'The e-mail address of your account is about to change',
      text: `Somebody who knows your password asked to change the e-mail address of your testimonials account from this one to ${told.data.email}. It changes once that address is confirmed.

Was it not you? Then set a new password, which stops the change:

${publicUrl}/forgot-password

Does no link come? Then the address is changed already: ask whoever runs the service.
`,
    };
  },

  test: ({ accountEmail }, publicUrl) => {
    if (!accountEmail) return undefined;
    return {
      to: accountEmail,
      subject: 'A test mail',
      text: `Mails from your testimonials service arrive. You asked for this one on the page of your account:

${publicUrl}/account
`,
    };
  },
} satisfies Partial<Record<MailKind, MailWriter>>;

/**
 * Queues a mail to set a new password. Whether the address has an account is looked up when it is
 * sent: here, both cost the same.
 */
export async function queueReset(email: string): Promise<void> {
  const rows = Prisma.sql`
    SELECT NULL::uuid AS user_id, ${email.trim().toLowerCase()} AS recipient, '{}'::json AS data`;
  await database().$executeRaw(queueMails('reset-password', rows));
}

/**
 * Queues a mail to the account's own address, to see one arrive. Returns false where it has had as
 * many today as it may have.
 */
export async function queueTestMail(accountId: string): Promise<boolean> {
  const rows = Prisma.sql`
    SELECT ${accountId}::uuid AS user_id, NULL::text AS recipient, '{}'::json AS data`;
  return (await database().$executeRaw(queueMails('test', rows))) > 0;
}
