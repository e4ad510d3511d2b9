import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { eventually } from './eventually';

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
    found.push(...(await seriousIn(page, 'body')).map((what) => `${colorScheme} ${what}`));
  }
  await page.emulateMedia({ colorScheme: 'light' });
  return found;
}

/**
 * What axe finds serious or critical in these elements as they look now, and of what can be pressed
 * what is smaller than WCAG 2.2 asks (2.5.8), for which axe does not look unasked.
 */
export async function seriousIn(page: Page, selector: string): Promise<string[]> {
  await endOfMotion(page);
  await page.evaluate(axeSource);
  const violations = await page.evaluate<Violation[]>(
    `axe.run(${JSON.stringify(selector)}, {
      resultTypes: ['violations'], rules: { 'target-size': { enabled: true } }
    }).then((result) => result.violations)`,
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}

/**
 * Waits until an opened dialog has the focus for good. It takes it twice, some time after it is there: a
 * button that had it would lose it, what is typed would go to the page, and who leaves before would have
 * it where it was.
 */
export async function settled(dialog: Locator): Promise<void> {
  await eventually(async () => expect(await dialog.locator(':focus').count()).toBe(1));
  await endOfMotion(dialog.page());
}

/**
 * Waits until the page stands still after what was changed of its window. Colours fade from one scheme
 * to the other, and axe would judge those between; loaders never end.
 */
export function endOfMotion(page: Page): Promise<void> {
  return page.evaluate(endOfAnimations);
}

async function endOfAnimations(): Promise<void> {
  // The first frame tells the page's script of another scheme, the second shows what that made of it.
  await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame);
  const ending = document
    .getAnimations()
    .filter(({ playState }) => playState === 'running')
    .filter(({ effect }) => effect?.getTiming().iterations !== Number.POSITIVE_INFINITY);
  await Promise.allSettled(ending.map(({ finished }) => finished));
}

/** What would be cut on paper, where nothing scrolls, of the page as it is. Not what is in fields. */
export function cutOnPaper(page: Page): Promise<string[]> {
  return onPaper(page, () => page.evaluate(cutParts));
}

function cutParts(): string[] {
  return [...document.querySelectorAll('body *:not(input, select, textarea)')]
    .filter((element) => {
      const { overflowX, overflowY, clipPath } = getComputedStyle(element);
      const isLow = overflowY !== 'visible' && element.scrollHeight > element.clientHeight + 1;
      const isNarrow = overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1;
      return element.checkVisibility() && clipPath === 'none' && (isLow || isNarrow);
    })
    .map(({ tagName, textContent }) => `<${tagName.toLowerCase()}> ${textContent?.slice(0, 60)}`);
}

/** What `look` tells of the page as it is printed, which is shown as before afterwards. */
export async function onPaper<Found>(page: Page, look: () => Promise<Found>): Promise<Found> {
  await page.emulateMedia({ media: 'print' });
  try {
    return await look();
  } finally {
    await page.emulateMedia({ media: null });
  }
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

/**
 * What people cannot read to its end in the page as it is: parts beyond the window's edge, texts that
 * are cut, with or without dots, and choices wider than their field. Not what scrolls, nor what is
 * hidden from sight on purpose.
 */
export async function cutOff(page: Page): Promise<string[]> {
  await endOfMotion(page);
  return page.evaluate(() => {
    const room = document.documentElement.clientWidth;
    const found: string[] = [];
    const note = (what: string, { textContent, tagName }: Element) =>
      found.push(`${what}: <${tagName.toLowerCase()}> ${textContent?.trim().slice(0, 60)}`);
    const isHeldBy = (
      element: Element | null,
      scrolls: (style: CSSStyleDeclaration) => boolean,
    ) => {
      for (let at = element; at; at = at.parentElement)
        if (scrolls(getComputedStyle(at))) return true;
      return false;
    };
    const isHidden = (style: CSSStyleDeclaration) =>
      style.clipPath !== 'none' || style.visibility === 'hidden';
    const scrolls = (style: CSSStyleDeclaration) => /auto|scroll/.test(style.overflowX);
    // What is within one that ends in dots is noted with it.
    const hasDots = (style: CSSStyleDeclaration) => style.textOverflow === 'ellipsis';
    const isAsked = ({ parentElement }: Element) =>
      !isHeldBy(parentElement, scrolls) && !isHeldBy(parentElement, hasDots);
    for (const element of document.querySelectorAll('body *')) {
      if (!(element instanceof HTMLElement) || !element.checkVisibility()) continue;
      const style = getComputedStyle(element);
      if (isHeldBy(element, isHidden) || !isAsked(element)) continue;
      const { left, right, width, bottom } = element.getBoundingClientRect();
      if (width === 0 || bottom <= 0 || !element.textContent?.trim()) continue;
      if (right > room + 1 || left < -1) note('beyond the edge', element);
      const isWider = element.scrollWidth > element.clientWidth + 1;
      if (isWider && /hidden|clip/.test(style.overflowX)) {
        note(style.textOverflow === 'ellipsis' ? 'ends in dots' : 'cut', element);
      }
      if (element instanceof HTMLSelectElement) {
        const whole = document.createElement('select');
        whole.className = element.className;
        whole.append(new Option(element.selectedOptions[0]?.text));
        whole.style.cssText = 'position: absolute; visibility: hidden; width: max-content';
        element.parentElement?.append(whole);
        if (whole.offsetWidth > element.offsetWidth + 1) note('cut', whole);
        whole.remove();
      }
    }
    return found;
  });
}
