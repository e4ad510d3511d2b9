import { isIP } from 'node:net';
import { createTransport, type Transporter } from 'nodemailer';
import { withSignal } from '../background/with-signal';
import type { Message } from './kinds';
import { mailLimits } from './queue';
import type { MailSettings } from './settings';
import { smtpFailureOf, timedOut } from './smtp-failure';

/**
 * The way to the server of SMTP_URL, for sending and for trying whether it would, which is told the host
 * of `publicUrl` as who we are. Each step takes `timeoutMs` at most.
 */
export function mailTransport(
  smtpUrl: string,
  publicUrl: string | undefined,
  timeoutMs: number,
): Transporter {
  const url = new URL(smtpUrl);
  return createTransport({
    url: smtpUrl,
    name: nameOf(publicUrl),
    requireTLS: needsTls(url),
    // Debian's Postfix offers TLS with a certificate that nobody signed. Here it could as well offer none.
    tls: { rejectUnauthorized: url.protocol === 'smtps:' || !isHere(url) },
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    socketCloseTimeout: 0,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/**
 * Hands a mail to the server of SMTP_URL. To another machine the certificate is checked, and without
 * TLS nothing is said unless SMTP_URL asks for it. `id` makes the Message-ID, by which a
 * mailbox knows a mail again that came twice. RFC 5321, RFC 3207, RFC 5322 (3.6.4).
 * @throws Error with a `code` of nodemailer's where it was not taken, ETIMEDOUT where that took 20 s
 */
export async function sendMail(
  id: string,
  { to, subject, text }: Message,
  { smtpUrl, from, publicUrl }: MailSettings,
  stop: AbortSignal,
): Promise<void> {
  const { timeoutMs } = mailLimits;
  const transport = mailTransport(smtpUrl, publicUrl, timeoutMs);
  try {
    // Whatever the server drips, it is over by then.
    await withSignal({ stop, timeoutMs }, (signal) =>
      transport.sendMail({
        from,
        // As an object it is taken as it is, and never for a list.
        to: { name: '', address: to },
        subject,
        text,
        messageId: `<${id}@${new URL(publicUrl).hostname}>`,
        // No answering machine answers. RFC 3834.
        headers: { 'Auto-Submitted': 'auto-generated' },
        signal,
      }),
    );
  } catch (error) {
    // Its own timeouts have this code; what ends it from outside is all the same to it.
    const isLate = smtpFailureOf(error).code === 'EABORT' && !stop.aborted;
    throw isLate ? Object.assign(new Error('It took too long'), { code: timedOut }) : error;
  } finally {
    transport.close();
  }
}

/**
 * Of a machine without a name of its own, as a container is, a server would be told [127.0.0.1], and some
 * take nothing from that. RFC 5321 (4.1.4) wants a name that others can look up.
 */
function nameOf(publicUrl: string | undefined): string | undefined {
  const { hostname } = new URL(publicUrl ?? 'http://localhost');
  return hostname.includes('.') && isIP(hostname) === 0 ? hostname : undefined;
}

/** STARTTLS, but to this very machine, or where the address says `?ignoreTLS=true`. */
function needsTls(url: URL): boolean {
  if (url.protocol === 'smtps:' || url.searchParams.get('ignoreTLS') === 'true') return false;
  return !isHere(url);
}

function isHere({ hostname }: URL): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}
