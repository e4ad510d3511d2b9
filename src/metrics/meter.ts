import { singleton } from '../singleton';

/** What each kind of count is told apart by. */
export const labels = {
  limit: ['api', 'dashboard'],
  cache: ['hit', 'miss', 'not_modified'],
  replica: ['answered', 'behind', 'failed'],
  transcription: ['transcribed', 'put_off', 'failed'],
} as const;

type Label<Kind extends keyof typeof labels> = (typeof labels)[Kind][number];

/**
 * What the service counts about itself. Labels are of bounded kinds alone: route templates, statuses
 * and outcomes; never a path, an account or a key.
 */
export type Meter = {
  /** `route` is a template, or one of the front's few groups of paths. */
  request(of: { method: string; route: string; status: number; seconds: number }): void;
  /** A request that a limit refused. */
  limited(limit: Label<'limit'>): void;
  /** What became of a read that has an entity tag. */
  cacheAsked(outcome: Label<'cache'>): void;
  /** What became of a read that a replica may answer; but for the first, the primary did. */
  replicaAsked(outcome: Label<'replica'>): void;
  /** One try to deliver an event; `outcome` is `succeeded` or the class of its error. */
  attempt(outcome: string, seconds: number): void;
  /** One try to transcribe a video. */
  transcription(outcome: Label<'transcription'>): void;
};

function held() {
  return singleton<{ meter: Meter | undefined }>('meter', () => ({ meter: undefined }));
}

/** Undefined where nobody could ask for the counts: in commands, and in functions of a platform. */
export function meter(): Meter | undefined {
  return held().meter;
}

/** From here on this process counts. */
export function setMeter(meter: Meter | undefined): void {
  held().meter = meter;
}
