import { LRUCache } from 'lru-cache';
import { singleton } from '../../singleton';
import { webhookLimits } from '../limits';
import type { AttemptResult } from './attempt';

/** How many accounts are remembered; those that had an answer longest ago are forgotten first. */
const maxAccounts = 10_000;

const dayMs = 24 * 3_600_000;

type KeptAnswers = {
  /** The result as it is written down: beyond what is kept for the account, without the answer's words. */
  keep(accountId: string, result: AttemptResult): AttemptResult;
};

/**
 * How much receivers have answered of late, by account. Answers count in no quota, and a receiver of
 * their own could fill the disk with them as fast as it is asked.
 */
export function createKeptAnswers(now = () => performance.now()): KeptAnswers {
  const { answerBytesPerDay } = webhookLimits;
  const kept = new LRUCache<string, number>({
    max: maxAccounts,
    ttl: dayMs,
    // A day begins with its first answer.
    noUpdateTTL: true,
    ttlResolution: 0,
    perf: { now },
  });
  return {
    keep(accountId, result) {
      const { responseHeaders, responseBody } = result;
      if (responseBody === null) return result;
      const before = kept.get(accountId) ?? 0;
      if (before >= answerBytesPerDay) {
        return { ...result, responseHeaders: null, responseBody: null };
      }
      const bytes = Buffer.byteLength(JSON.stringify([responseHeaders, responseBody]));
      kept.set(accountId, before + bytes);
      return result;
    },
  };
}

/** Those of this process, in whatever bundle it asks. */
export function keptAnswers(): KeptAnswers {
  return singleton('webhook-answers', createKeptAnswers);
}
