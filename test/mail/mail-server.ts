import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { listen } from '../helpers/listening';

type ReceivedMail = {
  from: string;
  to: string[];
  /** In lower case. */
  headers: Map<string, string>;
  text: string;
};

export type MailServer = {
  port: number;
  received: ReceivedMail[];
  /** Called with the text of a mail that has come whole, before it is taken. */
  instead: ((mail: ReceivedMail) => Promise<void> | void) | undefined;
};

const open: SMTPServer[] = [];

/** A mail server on the loopback interface, until `stopMailServers`. */
export async function openMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const mails: MailServer = { port: 0, received: [], instead: undefined };
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    logger: false,
    closeTimeout: 1,
    ...options,
    onData(stream, session, done) {
      const { mailFrom, rcptTo } = session.envelope;
      const take = async () => {
        const mail = {
          ...parse(await text(stream)),
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
        };
        await mails.instead?.(mail);
        mails.received.push(mail);
      };
      take().then(() => done(), done);
    },
  });
  server.on('error', () => {});
  open.push(server);
  mails.port = await listen(server.server);
  return mails;
}

export async function stopMailServers(): Promise<void> {
  await Promise.all(
    open.splice(0).map((server) => new Promise<void>((done) => server.close(done))),
  );
}

/** The address that a mail's text links to. */
export function linkIn(mail: ReceivedMail | undefined): URL {
  const [address = ''] = /https?:\/\/\S+/.exec(mail?.text ?? '') ?? [];
  return new URL(address);
}

/** What the link in a mail carries. */
export function tokenIn(mail: ReceivedMail | undefined): string {
  return linkIn(mail).hash.slice(1);
}

function parse(raw: string): { headers: Map<string, string>; text: string } {
  const [head = '', ...body] = raw.split('\r\n\r\n');
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n');
  const headers = new Map(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  return { headers, text: decode(body.join('\n\n').replaceAll('\r\n', '\n')) };
}

/** Quoted-printable, as long lines are sent. RFC 2045 (6.7). */
function decode(body: string): string {
  return body
    .replace(/=\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
