import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

const axeSource = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

type Violation = {
  id: string;
  impact: string | null;
  nodes: { html: string; target: unknown[] }[];
};

/** What axe finds serious or critical on the page as it is, in light and in dark. */
export async function seriousViolations(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.waitForTimeout(250);
    await page.evaluate(endOfMotion);
    await page.evaluate(axeSource);
    const violations = await page.evaluate<Violation[]>(
      "axe.run(document, { resultTypes: ['violations'] }).then((result) => result.violations)",
    );
    for (const { id, impact, nodes } of violations) {
      if (impact !== 'serious' && impact !== 'critical') continue;
      for (const { html } of nodes) found.push(`${colorScheme} ${id}: ${html.slice(0, 160)}`);
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  return found;
}

/** Colours fade from one scheme to the other, and axe would judge those between; loaders never end. */
async function endOfMotion(): Promise<void> {
  await new Promise(requestAnimationFrame);
  const ending = document
    .getAnimations()
    .filter(({ playState }) => playState === 'running')
    .filter(({ effect }) => effect?.getTiming().iterations !== Number.POSITIVE_INFINITY);
  await Promise.allSettled(ending.map(({ finished }) => finished));
}

/** How long what floats, as an open menu, may take to find its place in a window of another size. */
const settlingMs = 10_000;

/** Whether the page is wider than its window, so that people would have to scroll sideways. */
export function overflowsSideways(page: Page): Promise<boolean> {
  const fits = () => document.documentElement.scrollWidth <= document.documentElement.clientWidth;
  return page.waitForFunction(fits, undefined, { timeout: settlingMs }).then(
    () => false,
    () => true,
  );
}
