/**
 * Stops the clock of `Date` at an instant, and nothing else: sockets and timers go on. Ends with
 * the test.
 */
export function stopClockAt(instantMs: number): void {
  jest.useFakeTimers({
    now: instantMs,
    doNotFake: [
      'hrtime',
      'nextTick',
      'performance',
      'queueMicrotask',
      'setImmediate',
      'clearImmediate',
      'setInterval',
      'clearInterval',
      'setTimeout',
      'clearTimeout',
    ],
  });
}

/**
 * Stops the clock and every timer, so that nothing is over by its time however long the machine takes;
 * sockets go on. Ends with the test.
 */
export function stopTimers(): void {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
}
