import { setTimeout as pause } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';

/** As long as what a page waits for may take: see `openWindow`. */
const patienceMs = 45_000;

/**
 * Runs `look` again until it throws nothing, and throws its last error when it never does. What a
 * page shows comes some time after what led to it: even a page that has loaded reveals its parts
 * one by one, and a look at once sees none of them on a slow machine.
 */
export async function eventually(look: () => Promise<void>): Promise<void> {
  const end = performance.now() + patienceMs;
  for (;;) {
    try {
      return await look();
    } catch (error) {
      if (performance.now() > end) throw error;
    }
    await pause(50);
  }
}

/** Resolves once the element has the focus. */
export const hasFocus = (locator: Locator): Promise<void> =>
  eventually(async () =>
    expect(await locator.evaluate((element) => element === document.activeElement)).toBe(true),
  );

/** What was copied, once that has `part` in it: the clipboard is written some time after the click. */
export async function copied(page: Page, part: string): Promise<string> {
  let text = '';
  await eventually(async () => {
    text = await page.evaluate(() => navigator.clipboard.readText());
    expect(text).toContain(part);
  });
  return text;
}
