import type { Locator, Page } from 'playwright-core';
import { eventually } from './eventually';

declare global {
  interface Window {
    /** What live regions have said since it was last asked for. */
    heard?: string[];
  }
}

/**
 * Notes from the next load of the page on what a screen reader says by itself: the text that is put into
 * an element that is live, or comes with one. Where the focus goes is said beside it, and not noted.
 */
export async function listen(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const live = '[aria-live], [role=status], [role=alert]';
    const heard: string[] = [];
    window.heard = heard;
    const wordsOf = (node: Node) => {
      const copy = node.cloneNode(true);
      if (copy instanceof Element) {
        if (copy.matches('[aria-hidden=true], [inert]')) return '';
        for (const hidden of copy.querySelectorAll('[aria-hidden=true], [inert]')) hidden.remove();
      }
      return copy.textContent?.replaceAll(/\s+/g, ' ').trim() ?? '';
    };
    const note = (node: Node) => {
      const element = node instanceof Element ? node : node.parentElement;
      const words = wordsOf(node);
      if (words && element?.closest(live) && !element.closest('[aria-hidden=true]')) {
        heard.push(words);
      } else if (node instanceof Element) {
        for (const region of node.querySelectorAll(live)) {
          const said = wordsOf(region);
          if (said) heard.push(said);
        }
      }
    };
    new MutationObserver((changes) => {
      for (const { target, type, addedNodes } of changes) {
        if (type === 'characterData') note(target);
        else for (const node of addedNodes) if (node.isConnected) note(node);
      }
    }).observe(document, { subtree: true, childList: true, characterData: true });
  });
}

/** What was said since this was last asked, and is forgotten with it. */
export function heard(page: Page): Promise<string[]> {
  return page.evaluate(() => window.heard?.splice(0) ?? []);
}

/** Waits until this was said, and tells all that was said until then. */
export async function hears(page: Page, words: string): Promise<string[]> {
  const said: string[] = [];
  await eventually(async () => {
    said.push(...(await heard(page)));
    expect(said).toContain(words);
  });
  return said;
}

/** What a screen reader says of the element after its name. */
export async function descriptionOf(page: Page, element: Locator): Promise<string> {
  const session = await page.context().newCDPSession(page);
  try {
    await session.send('DOM.enable');
    const mark = `described-${Math.random()}`;
    await element.evaluate((one, name) => one.setAttribute('data-asked', name), mark);
    const { root } = await session.send('DOM.getDocument');
    const selector = `[data-asked="${mark}"]`;
    const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector });
    const { nodes } = await session.send('Accessibility.getPartialAXTree', {
      nodeId,
      fetchRelatives: false,
    });
    return String(nodes[0]?.description?.value ?? '');
  } finally {
    await session.detach();
  }
}
