import { randomUUID } from 'node:crypto';
import { closeAccount } from '@/src/accounts/closing';
import { accountsToDelete } from '@/src/accounts/deletion';
import { startDrain } from '@/src/background/drain';
import { database } from '@/src/database/client';
import { Prisma } from '@/src/database/generated/client';
import { farTriesJob } from '@/src/far-tries';
import { claimMails } from '@/src/mail/queue';
import { claimRemovals } from '@/src/storage/removal-queue';
import { longestDelaysMs as transcriptionMs } from '@/src/transcription/backoff';
import { transcriptionLimits } from '@/src/transcription/limits';
import { claimTranscriptions } from '@/src/transcription/queue';
import { longestDelaysMs as webhookMs } from '@/src/webhooks/sending/backoff';
import { returnLeases } from '@/src/webhooks/sending/leases';
import { createAccount, createTenant } from './helpers/accounts';
import { dayMs, hourMs, minuteMs } from './helpers/durations';
import { withOwnDatabase } from './helpers/own-database';
import { importVideos } from './transcription/queued';
import { addPending } from './webhooks/backlog';
import { claimAt, newSending } from './webhooks/sending';

withOwnDatabase();

const monthMs = 30 * dayMs;
const inMs = (ms: number) => new Date(Date.now() + ms);

async function afterARound(): Promise<void> {
  const { hasFailed } = await startDrain([farTriesJob], { deadlineAt: Date.now() + 60_000 })
    .finished;
  expect(hasFailed).toBe(false);
}

const ids = () => ({ token: randomUUID(), start: randomUUID() });
const claimVideos = (now?: Date) =>
  claimTranscriptions({ free: 4, underWay: new Map(), now, ...ids() });

describe('what a clock that was ahead has put off is due once it is set right', () => {
  test('a delivery', async () => {
    const { endpointId } = await newSending();
    await addPending(endpointId, 700, inMs(monthMs));
    await afterARound();
    expect(
      await database().webhookDelivery.count({ where: { nextAttemptAt: { gt: new Date() } } }),
    ).toBe(0);
    expect(await claimAt()).not.toEqual([]);
  });

  test('what a killed process was sending then, and a process that lives has time to renew', async () => {
    const { write, deliveries } = await newSending();
    await write();
    await claimAt({ now: inMs(monthMs) });
    await afterARound();
    expect(await returnLeases({ all: false })).toBe(0);
    expect(await returnLeases({ all: false, now: inMs(minuteMs) })).toBe(1);
    expect(await deliveries()).toMatchObject([{ state: 'pending', error_class: 'interrupted' }]);
  });

  test('a video, also one whose process was killed then', async () => {
    const tenant = await createTenant();
    await importVideos(tenant, 'https://files.example/v.mp4', 2);
    await database().$executeRaw`UPDATE transcription_jobs SET next_attempt_at = ${inMs(monthMs)}`;
    await database().$executeRaw`
      UPDATE transcription_jobs SET lease_token = gen_random_uuid()
      WHERE testimonial_id IN (SELECT testimonial_id FROM transcription_jobs LIMIT 1)`;
    await afterARound();
    expect((await claimVideos()).claimed).toHaveLength(1);
    const { leaseMs } = transcriptionLimits;
    expect((await claimVideos(inMs(leaseMs + minuteMs))).claimed).toHaveLength(2);
  });

  test('a mail', async () => {
    await addMail({ nextAttemptAt: inMs(monthMs), expiresAt: inMs(2 * monthMs) });
    await afterARound();
    expect(await claimMails(4)).toHaveLength(1);
  });

  test('a removal of a file', async () => {
    await addRemoval(inMs(monthMs));
    await afterARound();
    expect(await claimRemovals({ limit: 4, start: randomUUID() })).toHaveLength(1);
  });

  test('the deletion of a closed account, a while after that', async () => {
    const id = await createAccount();
    await closeAccount(id);
    await database().user.update({ where: { id }, data: { closedAt: inMs(monthMs) } });
    await afterARound();
    expect(await accountsToDelete()).toEqual([]);
    expect(await accountsToDelete(inMs(2 * minuteMs))).toEqual([id]);
  });
});

describe('what waits for its turn as long as it can be told to goes on waiting', () => {
  test('a delivery, whatever its step', async () => {
    const { endpointId } = await newSending();
    await addPending(endpointId, webhookMs.length);
    await database().$executeRaw`
      UPDATE webhook_deliveries d SET schedule_step = n - 1,
        next_attempt_at = now() + interval '1 ms' * (${webhookMs}::float8[])[n]
      FROM (SELECT id, row_number() OVER ()::int AS n FROM webhook_deliveries) row
      WHERE row.id = d.id`;
    const before = await dueTimes('webhook_deliveries');
    await afterARound();
    expect(await dueTimes('webhook_deliveries')).toEqual(before);
  });

  test('a video that is tried again, and one that is being tried', async () => {
    const tenant = await createTenant();
    await importVideos(tenant, 'https://files.example/v.mp4', transcriptionMs.length + 1);
    await claimVideos();
    await database().$executeRaw`
      UPDATE transcription_jobs j SET attempt_count = n,
        next_attempt_at = now() + interval '1 ms' * (${transcriptionMs.slice(1)}::float8[])[
          least(n, ${transcriptionMs.length - 1}::int)]
      FROM (
        SELECT testimonial_id, row_number() OVER ()::int AS n FROM transcription_jobs
        WHERE lease_token IS NULL
      ) row
      WHERE row.testimonial_id = j.testimonial_id`;
    const before = await dueTimes('transcription_jobs');
    await afterARound();
    expect(await dueTimes('transcription_jobs')).toEqual(before);
  });

  test('a mail that was not taken, one that was sent, and a removal', async () => {
    await addMail({ attemptCount: 9, nextAttemptAt: inMs(hourMs), expiresAt: inMs(3 * dayMs) });
    await addMail({
      sentAt: new Date(),
      nextAttemptAt: inMs(3 * dayMs),
      expiresAt: inMs(3 * dayMs),
    });
    await addRemoval(inMs(dayMs));
    const before = [await dueTimes('mails'), await dueTimes('file_removals')];
    await afterARound();
    expect([await dueTimes('mails'), await dueTimes('file_removals')]).toEqual(before);
  });
});

async function dueTimes(table: string) {
  return database().$queryRaw<object[]>`
    SELECT next_attempt_at::text AS due FROM ${Prisma.raw(table)} ORDER BY due`;
}

async function addMail(more: {
  nextAttemptAt: Date;
  expiresAt: Date;
  attemptCount?: number;
  sentAt?: Date;
}): Promise<void> {
  await database().mail.create({
    data: { kind: 'endpoint-failing', userId: await createAccount(), data: {}, ...more },
  });
}

async function addRemoval(nextAttemptAt: Date): Promise<void> {
  const userId = await createAccount();
  const key = `images/${userId}/${randomUUID()}`;
  await database().fileRemoval.create({ data: { key, url: key, userId, nextAttemptAt } });
}
