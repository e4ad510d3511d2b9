export const secondMs = 1000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** From now, plus a second for what was written just now to be due. */
export function later(ms = secondMs): Date {
  return new Date(Date.now() + ms);
}
