import type { Page, Route } from 'playwright-core';
import { pagesOfApp } from '../pages/page-addresses';
import { cutOff, overflowsSideways, seriousIn } from './checks';
import { eventually } from './eventually';
import { signUpWithSpace } from './inbox';
import { nowhere } from './receiver';
import { openSetting, type Setting } from './setting';
import { visit } from './visit';

/**
 * What can be pressed and opens nothing. Everything else in a page is to open something, which is
 * then looked at: a new menu or dialog cannot be forgotten.
 */
const actions = [
  ...['Approve', 'Reject', 'Pending2', 'Approved0', 'Rejected0', 'All2', 'Test mode'],
  ...['Find', 'Copy', 'Sign out', 'Sign out everywhere else', 'Change password'],
  ...['Download', 'System', 'Light', 'Dark', 'Account', 'Show the password'],
];

/** More of these, by what stands in their names; and those of a table that say an hour. */
const copies =
  '[aria-label^="Copy "], [aria-label="Hours with requests"] button, [aria-label^="The hour"]';

/** WCAG 2.2, 1.4.10: 320 px is 1280 at 400 %, and so is a height of 256. */
const windows = [
  { width: 1280, height: 800, colorScheme: 'light' },
  { width: 320, height: 256, colorScheme: 'dark' },
] as const;

const floating = '[role=dialog], [role=menu], [role=tooltip]';

let setting: Setting;

/** Of pages with a parameter in their path. */
let addresses: Record<string, string>;

beforeAll(async () => {
  setting = await openSetting();
  const { api, spaceId } = await signUpWithSpace(setting, 'Website');
  const { data } = await api('POST', '/webhook-endpoints', {
    url: nowhere,
    event_types: ['testimonial.created'],
  });
  for (const submitter_name of ['Ada Park', 'Bo Lind']) {
    await api('POST', '/testimonials', {
      space_id: spaceId,
      type: 'text',
      submitter_name,
      submitter_email: 'someone@northwind.example',
      text_content: 'It works as it should. '.repeat(60),
    });
  }
  addresses = { '/webhooks/[endpointId]': `/webhooks/${data.id}` };
});

afterAll(() => setting?.close());

/** Marks the next that is to be pressed, each of its kind once, and gives its name. */
function markNext(page: Page, within: string): Promise<string | undefined> {
  return page.evaluate(
    ({ selector, known, chosen }) => {
      for (const element of document.querySelectorAll('[data-next]'))
        element.removeAttribute('data-next');
      const nameOf = (element: Element) =>
        (element.textContent || element.getAttribute('aria-label') || '').trim();
      const done = new Set<string>(known);
      for (const element of document.querySelectorAll('[data-pressed]')) done.add(nameOf(element));
      for (const element of document.querySelectorAll<HTMLElement>(selector)) {
        const name = nameOf(element);
        if (done.has(name) || element.matches(`:disabled, tr + tr *, [data-pressed], ${chosen}`))
          continue;
        if (element.ariaExpanded === 'true' || !element.checkVisibility()) continue;
        element.dataset.next = '';
        element.dataset.pressed = '';
        return name;
      }
      return undefined;
    },
    { selector: within, known: actions, chosen: copies },
  );
}

/** For what opens nothing. */
const openMs = 10_000;

const focusedDialog = (page: Page) =>
  page.locator('[role=dialog] :focus, [role=dialog]:focus').first().waitFor({ timeout: openMs });

/** Presses what is marked, and waits for what it opens. */
async function pressMarked(page: Page): Promise<'menu' | 'dialog' | 'fold'> {
  const marked = page.locator('[data-next]');
  const [tag, popup, expanded] = await marked.evaluate((element) => [
    element.tagName,
    element.ariaHasPopup,
    element.ariaExpanded,
  ]);
  await marked.focus();
  await page.keyboard.press('Enter');
  if (popup === 'menu') {
    await eventually(async () =>
      expect(await page.locator('[role=menuitem]:focus').count()).toBe(1),
    );
    return 'menu';
  }
  if (tag === 'SUMMARY') await page.locator('[open] > [data-next]').waitFor({ timeout: openMs });
  else if (expanded !== null)
    await page.locator('[data-next][aria-expanded=true]').waitFor({ timeout: openMs });
  else await focusedDialog(page);
  return tag === 'SUMMARY' || expanded !== null ? 'fold' : 'dialog';
}

/** Closes what floats, and whether the focus is where it was before. */
async function leave(page: Page): Promise<string[]> {
  await page.keyboard.press('Escape');
  await page.locator(floating).last().waitFor({ state: 'detached' });
  const isBack = await page
    .waitForFunction(
      () => {
        const { activeElement: at } = document;
        return (
          at?.id !== 'content' &&
          at?.matches(':has([data-next]), [data-next]') &&
          at !== document.body
        );
      },
      undefined,
      { timeout: 10_000 },
    )
    .catch(() => undefined);
  return isBack ? [] : ['does not give the focus back'];
}

/** Goes by Tab through a dialog or a page, round and round: the focus stays in it, and in sight. */
async function walkByTab(page: Page, within: string, key = 'Tab'): Promise<string[]> {
  const found: string[] = [];
  const stops = 'button, a, input, select, textarea, summary, [tabindex]';
  const count = await page.locator(within).locator(stops).count();
  for (let step = 0; step <= count; step += 1) {
    await page.keyboard.press(key);
    const problem = await page.evaluate(problemOfFocus, within);
    if (problem) found.push(problem);
  }
  return found;
}

/** WCAG 2.2, 2.4.11: no part of it is seen. Of a choice, its label is what Mantine draws. */
function problemOfFocus(within: string): string | undefined {
  const at = document.activeElement;
  if (!at || at === document.body) return undefined;
  const words = at.outerHTML.slice(0, 120);
  if (!at.closest(within)) return `the focus leaves it for ${words}`;
  const labels = at instanceof HTMLInputElement ? [...(at.labels ?? [])] : [];
  const isChoice = at.matches('[type=radio], [type=checkbox]');
  const parts = [at, ...(isChoice ? labels : [])];
  const { left, top, right, bottom } = (parts.at(-1) ?? at).getBoundingClientRect();
  for (const across of [0.1, 0.5, 0.9]) {
    for (const down of [0.1, 0.3, 0.5, 0.7, 0.9]) {
      const x = left + across * (right - left);
      const y = top + down * (bottom - top);
      const shown = document.elementFromPoint(x, y);
      if (shown && parts.some((part) => part.contains(shown) || shown.contains(part))) return;
    }
  }
  return `what has the focus is out of sight: ${words}`;
}

/** WCAG 2.2, 1.4.12: as far apart as readers may set what is written. */
const spacing = `
  * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
  p { margin-bottom: 2em !important }
`;

/** What is hard to read of what is open, or of the page where nothing floats over it. */
async function look(page: Page): Promise<string[]> {
  const floats = (await page.locator(floating).count()) > 0;
  const found = await seriousIn(page, floats ? floating : 'body');
  if (await overflowsSideways(page)) found.push('scrolls sideways');
  const style = await page.addStyleTag({ content: spacing });
  const cut = await cutOff(page);
  if (await overflowsSideways(page)) found.push('scrolls sideways with spaced letters');
  await style.evaluate((element) => element instanceof Element && element.remove());
  return [
    ...found,
    ...cut.filter((what) => !what.startsWith('ends in dots')),
    ...(await readAtOnce(page)),
  ];
}

/** What describes a dialog is read out before what has the focus in it: words, and nothing to press or fill in. */
function readAtOnce(page: Page): Promise<string[]> {
  return page.locator('[role=dialog][aria-describedby]').evaluateAll((dialogs) =>
    dialogs.flatMap((dialog) => {
      const words = document.getElementById(dialog.getAttribute('aria-describedby') ?? '');
      if (!words) return ['what describes the dialog is not there'];
      const other = words.querySelector('button, input, select, textarea, pre');
      return other ? [`what describes the dialog has a ${other.localName}`] : [];
    }),
  );
}

async function openEverything(page: Page, within: string, place: string): Promise<string[]> {
  const found: string[] = [];
  for (
    let name = await markNext(page, within);
    name !== undefined;
    name = await markNext(page, within)
  ) {
    const where = `${place} > ${name.slice(0, 40)}`;
    const note = (what: string[]) => found.push(...what.map((each) => `${where}: ${each}`));
    const kind = await pressMarked(page).catch(() => undefined);
    if (!kind) {
      note(['opens nothing: name it among the actions']);
      continue;
    }
    note(await look(page));
    await page.screenshot({ path: `.screenshots/opened-${where.replaceAll(/[^\w]+/g, '-')}.png` });
    if (kind === 'fold') continue;
    const items = kind === 'menu' ? await page.getByRole('menuitem').allTextContents() : [];
    if (kind === 'dialog') note(await walkByTab(page, '[role=dialog]'));
    note(await leave(page));
    for (const item of items.filter((each) => !actions.includes(each))) {
      await pressMarked(page);
      await page.getByRole('menuitem', { name: item, exact: true }).press('Enter');
      await focusedDialog(page);
      note((await look(page)).map((what) => `${item}: ${what}`));
      await page.screenshot({
        path: `.screenshots/opened-${where.replaceAll(/[^\w]+/g, '-')}-${item}.png`,
      });
      note((await walkByTab(page, '[role=dialog]')).map((what) => `${item}: ${what}`));
      note((await leave(page)).map((what) => `${item}: ${what}`));
    }
  }
  return [...new Set(found)];
}

const ownPages = pagesOfApp().filter(({ isOfDashboard }) => isOfDashboard);

test.each(ownPages.flatMap(({ path }) => windows.map((window) => ({ path, ...window }))))(
  'what can be opened in $path at $width px can be read, reached and left',
  async (look) => {
    const { page } = setting;
    const { path, width, height, colorScheme } = look;
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await visit(page, addresses[path] ?? path);
    const found = await openEverything(
      page,
      'main :is(button, summary), header button',
      `${path} ${width}`,
    );
    expect(found).toEqual([]);
  },
);

test('what stands over the inbox at 400 % leaves in sight what has the focus', async () => {
  const { page } = setting;
  const [, { width, height }] = windows;
  await page.setViewportSize({ width, height });
  await visit(page, '/testimonials');
  const isSaved = (url: URL) => url.pathname.includes('testimonials.updateBatch');
  const refuse = (route: Route) => route.abort();
  await page.route(isSaved, refuse);
  await page.getByRole('button', { name: 'Approve Bo Lind' }).press('Enter');
  await page.getByRole('alert').getByText('A decision may not be saved').waitFor();
  await page.getByLabel('Select Ada Park').press('Space');
  await page.getByRole('region', { name: 'Selection' }).waitFor();
  expect(await walkByTab(page, 'body')).toEqual([]);
  await page.unroute(isSaved, refuse);
});

test('what says at 400 % that there is no network leaves in sight what has the focus', async () => {
  const { page } = setting;
  const [, { width, height }] = windows;
  await page.setViewportSize({ width, height });
  await visit(page, '/spaces');
  await page.context().setOffline(true);
  // Clicks go through it, and so would the look for what has the focus.
  await page.getByText('You are offline.').evaluate((told) => {
    told.style.pointerEvents = 'auto';
  });
  const found = await walkByTab(page, 'body', 'Shift+Tab');
  await page.getByRole('button', { name: 'Create space' }).press('Enter');
  await focusedDialog(page);
  found.push(...(await walkByTab(page, '[role=dialog]', 'Shift+Tab')));
  expect(found).toEqual([]);
  await page.context().setOffline(false);
});
