import { startDrain } from '@/src/background/drain';
import { database } from '@/src/database/client';
import { provideEnv } from '@/src/env';
import { mailJob } from '@/src/jobs';
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

/** Sends the mails that are due, once the requests before have done what follows their answers. */
export async function drainMails(now?: Date): Promise<void> {
  await settled();
  const drain = startDrain([mailJob], { deadlineAt: Date.now() + 60_000, now });
  expect((await drain.finished).hasFailed).toBe(false);
}
