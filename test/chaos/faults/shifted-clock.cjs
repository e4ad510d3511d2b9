/** Loaded first into a service, gives it a clock that is CLOCK_OFFSET_MS ahead of the machine's. */
const offsetMs = Number(process.env.CLOCK_OFFSET_MS);
const SystemDate = Date;

globalThis.Date = class extends SystemDate {
  constructor(...parameters) {
    if (parameters.length === 0) super(SystemDate.now() + offsetMs);
    else super(...parameters);
  }

  static now() {
    return SystemDate.now() + offsetMs;
  }

  // Its own, for whoever wraps it again copies no more than these.
  static parse = SystemDate.parse;
  static UTC = SystemDate.UTC;
};
