import type { Page } from 'playwright-core';
import { endOfMotion } from './checks';

/** Goes back where the page stays, and waits until it has taken note. */
export async function goBackInVain(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const { pushState } = history;
        history.pushState = (...entry) => {
          history.pushState = pushState;
          history.pushState(...entry);
          resolve();
        };
        history.back();
      }),
  );
  await endOfMotion(page);
}
