/**
 * A process for tests to kill: sends what is due on the database in its first argument, with the
 * SECRET_KEY in its second, through the mail server in its third.
 */
import { startDrain } from '../../src/background/drain';
import { provideEnv } from '../../src/env';
import { mailJob } from '../../src/jobs';

const [, , DATABASE_URL, SECRET_KEY, SMTP_URL] = process.argv;
provideEnv({
  DATABASE_URL,
  SECRET_KEY,
  SMTP_URL,
  MAIL_FROM: 'no-reply@testimonials.example',
  PUBLIC_URL: 'https://testimonials.example',
  LOG_LEVEL: 'silent',
});
setInterval(() => {}, 1000);
void startDrain([mailJob], { deadlineAt: Date.now() + 60_000 }).finished;
