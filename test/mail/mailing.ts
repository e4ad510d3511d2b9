import { startDrain } from '@/src/background/drain';
import { database } from '@/src/database/client';
import { provideEnv } from '@/src/env';
import { mailJob } from '@/src/jobs';
import { createAccount } from '../helpers/accounts';
import { settled } from '../helpers/next-server';
import { stopMailServers } from './mail-server';

/** What links in mails begin with. */
export const ownUrl = 'https://testimonials.example';

/** Has the service send its mails to this server; undefined: it sends none. */
export function setMailServer(server: { port: number } | undefined): void {
  provideEnv({
    SMTP_URL: server ? `smtp://127.0.0.1:${server.port}` : '',
    MAIL_FROM: server ? 'Testimonials <no-reply@testimonials.example>' : '',
    PUBLIC_URL: server ? ownUrl : '',
  });
}

/** What a test leaves unsent must not be sent by the next. */
export async function closeMailServers(): Promise<void> {
  setMailServer(undefined);
  await database().mail.deleteMany();
  await stopMailServers();
}

/** Queues a mail to a new account, which gets a bounded number of them in a day. Returns its id. */
export async function queue(): Promise<string> {
  const userId = await createAccount();
  const data = { kind: 'test', userId, expiresAt: later(3600), data: {} };
  return (await database().mail.create({ data })).id;
}

export const stored = (id: string) => database().mail.findUnique({ where: { id } });

export const later = (seconds: number) => new Date(Date.now() + seconds * 1000);

/** Sends the mails that are due, once the requests before have done what follows their answers. */
export async function drainMails(now?: Date): Promise<void> {
  await settled();
  const drain = startDrain([mailJob], { deadlineAt: Date.now() + 60_000, now });
  expect((await drain.finished).hasFailed).toBe(false);
}
