import { join } from 'node:path';
import { pool } from '../database/client';
import { log } from '../logging/log';
import { cachedFor } from '../metrics/cached-for';
import { folderBytes } from '../metrics/folder-bytes';
import { createMetrics, type Metrics } from '../metrics/metrics';
import { answerCache } from '../rest/answer-cache';
import { readBacklog } from './backlog';

/** However often it is asked: the statement of the backlog, and a walk over a thousand files. */
const backlogMs = 5_000;
const folderMs = 60_000;

/** The metrics of this process, with all that they read of it. */
export function serviceMetrics({
  embeddedFolder,
}: {
  embeddedFolder: string | undefined;
}): Metrics {
  return createMetrics({
    pool: () => {
      const { totalCount, idleCount, waitingCount, options } = pool();
      const busy = totalCount - idleCount;
      return { busy, idle: idleCount, waiting: waitingCount, max: options.max };
    },
    cacheBytes: () => answerCache()?.calculatedSize ?? 0,
    backlog: cachedFor(backlogMs, readBacklog),
    embeddedBytes:
      embeddedFolder === undefined
        ? undefined
        : cachedFor(folderMs, () =>
            folderBytes(join(embeddedFolder, 'postgres')).catch(notCounted),
          ),
  });
}

/** What else is asked for is told all the same. */
function notCounted(error: unknown): undefined {
  log().warn({ err: error }, 'files of the embedded database not counted');
}
