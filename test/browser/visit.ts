import type { Page, Response } from 'playwright-core';

/** Goes there, and resolves with the answer once the page does what it offers: see `listens`. */
export async function visit(page: Page, path: string): Promise<Response | null> {
  const answer = await page.goto(path);
  await listens(page);
  return answer;
}

/** Loads the page again, and resolves once it does what it offers: see `listens`. */
export async function visitAgain(page: Page): Promise<void> {
  await page.reload();
  await listens(page);
}

/**
 * Resolves once a page that loads has all that it fetches by itself, and does what its buttons and keys
 * say. What the server has drawn looks done, and is dead until React has taken it over; on a machine with
 * much other work that is long after the last script came. React puts properties of its own on each element
 * that it takes, but begins to hear keys only later, when it has nothing else to do.
 */
export async function listens(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.waitForFunction(() => {
    const isTaken = (element: Element) =>
      Object.keys(element).some((name) => name.startsWith('__react'));
    // Parts of the page that have come and are not in their places yet, or not at all.
    const isAll = !document.querySelector('template[id^="B:"], template[id^="P:"], [id^="S:"]');
    return (
      isAll && [...document.querySelectorAll('body :is(a, button, input, select)')].every(isTaken)
    );
  });
  await page.evaluate(() => scheduler.postTask(() => {}, { priority: 'background' }));
}
