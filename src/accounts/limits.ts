/** In characters. better-auth is told them too. */
export const passwordLimits = { min: 8, max: 128 } as const;
