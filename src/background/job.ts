/** What a job is told when a process begins to do it. */
export type JobContext = {
  /** The time by which work is due, stored and sent, instead of the database's clock. */
  now?: Date | undefined;
  /** 0 to 1, for the jitter. */
  random: () => number;
  /** Milliseconds of `Date.now()` by which all must be over; without it, the process stays. */
  deadlineAt?: number | undefined;
  /** Nobody else does it: what is found begun was begun by a process that has died. */
  isAlone: boolean;
  /** To be called whenever something is done, so that there may be room for more. */
  onDone: () => void;
  /** To be called where what is due could not be done, once that is logged. */
  onFailed?: () => void;
};

/** A kind of work that runs beside requests. The loop and the drain know no more of it than this. */
export type Job = {
  /** For the log. */
  name: string;
  begin(context: JobContext): RunningJob;
};

export type RunningJob = {
  /**
   * Takes what is due and there is room for, and starts it. Returns how much, and whether that took
   * up all the room, so that there may be more.
   */
  start(): Promise<Started>;
  /** How much is started and not done. */
  underWay(): number;
  /** When something becomes due by itself, in milliseconds from now; undefined where nothing does. */
  nextDueInMs(): Promise<number | undefined>;
  /** Gives back what is under way, for whoever comes next. */
  abort(): void;
  /** Resolves once nothing is under way. */
  settled(): Promise<void>;
};

type Started = { started: number; isFull: boolean };

export const nothingStarted: Started = { started: 0, isFull: false };
