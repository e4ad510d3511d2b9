import { accountDeletionJob } from './accounts/deletion-job';
import { accountMails } from './accounts/mails';
import { mailTrimmingJob, sessionTrimmingJob } from './accounts/trimming-job';
import { auditTrimmingJob } from './audit/trimming-job';
import { hourlyJob } from './background/hourly';
import type { Job } from './background/job';
import { farTriesJob } from './far-tries';
import { removeAbandonedFolders } from './file-system/temporary-folder';
import { idempotencyTrimmingJob } from './idempotency/trimming-job';
import { createMailJob } from './mail/mail-job';
import { requestLogDaysJob } from './requests/days';
import { removalJob } from './storage/removal-job';
import { unnamedFilesJob } from './storage/unnamed-files-job';
import { transcriptionJob } from './testimonials/transcripts';
import { logTrimmingJob } from './webhooks/log-trimming';
import { endpointMails } from './webhooks/mails';
import { deliveryJob } from './webhooks/sending/delivery-job';

export const mailJob = createMailJob({ ...accountMails, ...endpointMails });

const temporaryFoldersJob = hourlyJob('temporary folders', async () => {
  await removeAbandonedFolders(Date.now());
  return false;
});

/** What a write may leave to be done: worth a look after each, also in a process that does not stay. */
export const promptJobs: readonly Job[] = [deliveryJob, removalJob, transcriptionJob, mailJob];

/** Everything that the service does beside requests. */
export const jobs: readonly Job[] = [
  ...promptJobs,
  farTriesJob,
  unnamedFilesJob,
  logTrimmingJob,
  idempotencyTrimmingJob,
  mailTrimmingJob,
  sessionTrimmingJob,
  auditTrimmingJob,
  accountDeletionJob,
  requestLogDaysJob,
  temporaryFoldersJob,
];
