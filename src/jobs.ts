import type { Job } from './background/job';
import { idempotencyTrimmingJob } from './idempotency/trimming-job';
import { removalJob } from './storage/removal-job';
import { unnamedFilesJob } from './storage/unnamed-files-job';
import { deliveryJob } from './webhooks/delivery-job';
import { logTrimmingJob } from './webhooks/log-trimming';

/** What a write may leave to be done: worth a look after each, also in a process that does not stay. */
export const promptJobs: readonly Job[] = [deliveryJob, removalJob];

/** Everything that the service does beside requests. */
export const jobs: readonly Job[] = [
  ...promptJobs,
  unnamedFilesJob,
  logTrimmingJob,
  idempotencyTrimmingJob,
];
