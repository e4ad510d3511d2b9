/** Milliseconds of a process that runs. */
type WakingClock = {
  now(): number;
  /** To be called each `stepMs`. Returns how much has passed since the last. */
  look(): number;
  /** How often it has stood still so far. */
  stops(): number;
};

/**
 * A clock that goes on by `stepMs` at most from one look to the next: it stands still while the process
 * does not run, kept busy or stopped by the system. Nobody can be late for a process that does not look.
 */
export function createWakingClock(
  stepMs: number,
  realNow: () => number = () => performance.now(),
): WakingClock {
  let lookedAt = realNow();
  let passedMs = 0;
  let stops = 0;
  const sinceLook = () => realNow() - lookedAt;
  /** Each look is a little late. */
  const stands = () => sinceLook() > 2 * stepMs;
  const now = () => passedMs + Math.min(sinceLook(), stepMs);
  const countStops = () => stops + Number(stands());
  return {
    now,
    stops: countStops,
    look() {
      const ms = Math.min(sinceLook(), stepMs);
      passedMs += ms;
      stops = countStops();
      lookedAt = realNow();
      return ms;
    },
  };
}
