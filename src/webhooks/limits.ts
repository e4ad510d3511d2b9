/** Every limit of the webhooks in one place; the unit stands in the name. */
export const webhookLimits = {
  endpointsPerAccount: 10,
  urlCharacters: 2048,

  /** From the start of the connection to the end of the answer. */
  attemptTimeoutMs: 15_000,
  /** What a process has claimed and neither recorded nor renewed by then is given to another. */
  leaseMs: 7_000,
  /** How often a process renews its leases: a few times may fail. */
  renewLeasesEveryMs: 2_000,
  /** How often it looks for leases that ran out; with `leaseMs`, under 10 seconds after a crash. */
  returnLeasesEveryMs: 1_000,
  /** Attempts ended by a crash, in a row, that do not count as failures, and the one that does. */
  interruptionsPerStep: 3,
  /** How long to try to write an outcome down while the database is away. */
  recordForMs: 60_000,
  /** How much of an answer is read and kept. */
  answerBytes: 16 * 1024,
  /** How many of its headers are kept, and how many bytes of names and values together. */
  answerHeaders: 64,
  answerHeaderBytes: 8 * 1024,
  /**
   * How much of answers one process keeps for an account in a day; of those beyond it, status and time
   * alone. Four hundred thousand ordinary ones. In the days that the log is kept they come to 7.5 GiB,
   * less than the usual quota.
   */
  answerBytesPerDay: 256 * 1024 * 1024,
  /**
   * Attempts kept of a delivery, the newest: some rounds of retries. Whoever sends one again without end
   * fills no disk by it, and no memory where it is read.
   */
  keptAttempts: 50,

  /** Attempts under way at once per endpoint, over all processes. */
  inFlightPerEndpoint: 5,
  /** The same once it only fails, so that what hangs cannot fill a process. */
  inFlightPerFailingEndpoint: 1,
  /**
   * Attempts under way at once in one process; each holds one event in memory. An account may have
   * as many of them as are left free, so that no number of slow accounts below this one takes all.
   */
  inFlightPerProcess: 128,
  /** An attempt that takes so long makes its account a slow one for a while. */
  slowAttemptMs: 5_000,
  slowForMs: 10 * 60_000,
  /** Places of a process that slow accounts leave to the others, however many they are. */
  keptFromSlow: 32,

  /** Failures after which an endpoint is switched off: as many, over as long, and no success. */
  switchOffAfter: { attempts: 20, days: 5 },
  /** How long an endpoint only fails before its account is told by mail. */
  mailAfterHours: 24,
  /** How long a replaced signing secret still signs. */
  previousSecretHours: 24,

  /** How long events, deliveries and attempts are kept. */
  logDays: 30,
  /** Events looked at, and removed, in one statement. */
  trimBatch: 500,
  /** Deliveries of a day that are counted of an endpoint, the newest: what is read of it is bounded. */
  countedDeliveries: 10_000,
  /** Deliveries that one replay may start. */
  replayBatch: 1000,
} as const;
