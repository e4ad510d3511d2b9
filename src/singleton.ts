/**
 * One value per process and name. Next bundles route handlers and pages apart, so a module-level
 * variable exists once per bundle; pools, counters and caches must exist once per process.
 */
export function singleton<T>(name: string, make: () => T): T {
  const key = Symbol.for(`testimonials.${name}`);
  const store: { [key: symbol]: T | undefined } = globalThis;
  const existing = store[key];
  if (existing !== undefined) return existing;
  const made = make();
  store[key] = made;
  return made;
}
