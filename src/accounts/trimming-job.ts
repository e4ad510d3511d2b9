import { hourlyJob } from '../background/hourly';
import { database } from '../database/client';
import { instant } from '../database/sql/instants';
import { trimMails } from '../mail/queue';
import { trimExpiredSessions } from './sessions';

/** Removes mails that are no longer worth sending, and links that have expired. */
export const mailTrimmingJob = hourlyJob('mails and links', async ({ endAt, now }) => {
  const isLeft = await trimMails({ endAt, now });
  await database().$executeRaw`DELETE FROM account_links WHERE expires_at <= ${instant(now)}`;
  return isLeft;
});

/** Where the last round was when its time was up. */
let sessionsFrom: string | undefined;

/** Removes the sessions of people who have not come back. */
export const sessionTrimmingJob = hourlyJob('sessions', async ({ endAt, now }) => {
  sessionsFrom = await trimExpiredSessions({ endAt, now, from: sessionsFrom });
  return sessionsFrom !== undefined;
});
