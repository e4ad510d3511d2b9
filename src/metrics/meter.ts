import { singleton } from '../singleton';

/**
 * What the service counts about itself. Labels are of bounded kinds alone: route templates, statuses
 * and outcomes; never a path, an account or a key.
 */
export type Meter = {
  /** `route` is a template, or one of the front's few groups of paths. */
  request(of: { method: string; route: string; status: number; seconds: number }): void;
  /** A request that a limit refused. */
  limited(limit: 'api' | 'dashboard'): void;
  /** What became of a read that has an entity tag. */
  cacheAsked(outcome: 'hit' | 'miss' | 'not_modified'): void;
  /** What became of a read that a replica may answer; but for the first, the primary did. */
  replicaAsked(outcome: 'answered' | 'behind' | 'failed'): void;
  /** One try to deliver an event; `outcome` is `succeeded` or the class of its error. */
  attempt(outcome: string, seconds: number): void;
  /** One try to transcribe a video. */
  transcription(outcome: 'transcribed' | 'put_off' | 'failed'): void;
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
