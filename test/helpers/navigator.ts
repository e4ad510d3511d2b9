/**
 * For a file that tries what a browser loads: what that asks whether it is online. It is before each
 * test, until a test says otherwise.
 */
export function withNavigator(): { onLine: boolean } {
  const navigator = { onLine: true };
  Reflect.defineProperty(global, 'navigator', { value: navigator, configurable: true });
  beforeEach(() => {
    navigator.onLine = true;
  });
  return navigator;
}
