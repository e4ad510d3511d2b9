import { type Env, env } from '../env';

export type MailSettings = {
  /** Of the server that takes mails. */
  smtpUrl: string;
  from: string;
  /** What links in mails begin with, without a slash at the end. Never what a request says: whoever
   * sends it could have others follow a link to a host of theirs. */
  publicUrl: string;
};

/** Undefined where no mail is sent: without SMTP_URL, or without the PUBLIC_URL that links begin with. */
export function mailSettings(): MailSettings | undefined {
  const { SMTP_URL: smtpUrl, MAIL_FROM: from, PUBLIC_URL: publicUrl } = env();
  if (!smtpUrl || !from || !publicUrl) return undefined;
  return { smtpUrl, from, publicUrl: publicUrl.replace(/\/+$/, '') };
}

/** What to tell whoever starts the service with half of what mails need; undefined where all is well. */
export function noMailWarning({
  SMTP_URL,
  PUBLIC_URL,
}: Pick<Env, 'SMTP_URL' | 'PUBLIC_URL'>): string | undefined {
  if (!SMTP_URL || PUBLIC_URL) return undefined;
  return (
    'SMTP_URL is set and PUBLIC_URL is not. No mails are sent, none to reset a password either: ' +
    'their links begin with PUBLIC_URL alone.'
  );
}
