/** Every limit of the webhooks in one place; the unit stands in the name. */
export const webhookLimits = {
  endpointsPerAccount: 10,
  urlCharacters: 2048,

  /** From the start of the connection to the end of the answer. */
  attemptTimeoutMs: 15_000,
  /** An attempt not recorded by then is given to somebody else. Outlasts every attempt. */
  leaseMs: 60_000,
  /** How much of an answer is read and kept. */
  answerBytes: 16 * 1024,
  /** How many of its headers are kept, and how many bytes of names and values together. */
  answerHeaders: 64,
  answerHeaderBytes: 8 * 1024,

  /** Attempts under way at once per endpoint, over all processes. */
  inFlightPerEndpoint: 5,
  /** The same once it only fails, so that what hangs cannot fill a process. */
  inFlightPerFailingEndpoint: 1,
  /** Attempts under way at once in one process; each holds one event in memory. */
  inFlightPerProcess: 128,

  /** Failures after which an endpoint is switched off: as many, over as long, and no success. */
  switchOffAfter: { attempts: 20, days: 5 },
  /** How long a replaced signing secret still signs. */
  previousSecretHours: 24,

  /** How long events, deliveries and attempts are kept. */
  logDays: 30,
  /** Events removed in one statement. */
  trimBatch: 500,
  /** Deliveries that one replay may start. */
  replayBatch: 1000,
} as const;
