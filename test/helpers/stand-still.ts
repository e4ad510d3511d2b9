/** Keeps this process from reading and from looking at its clock, as what takes long does, or SIGSTOP. */
export function standStill(ms: number): void {
  const endAt = performance.now() + ms;
  while (performance.now() < endAt);
}
