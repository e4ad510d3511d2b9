import type { Locator, Page } from 'playwright-core';
import { takeScreenshot, watchBesides } from './browser';
import { cutOnPaper, onPaper } from './checks';
import { eventually } from './eventually';
import { type apiOf, areRows, row, signUpWithSpace } from './inbox';
import { openSetting, type Setting } from './setting';
import { visit } from './visit';

const manyRows = 60;

const arabicText = 'خدمة رائعة، وقد وصل الطلب في يوم واحد.';
const arabicCompany = 'شركة الشمال';
const longRole = 'Head of everything that has no head of its own '.repeat(2).trim();

let setting: Setting;
let api: ReturnType<typeof apiOf>;

beforeAll(async () => {
  setting = await openSetting();
  const signedUp = await signUpWithSpace(setting, 'Website');
  ({ api } = signedUp);
  const of = (submitter_name: string, text_content: string, more: object = {}) => ({
    space_id: signedUp.spaceId,
    type: 'text',
    submitter_name,
    submitter_email: 'someone@northwind.example',
    text_content,
    rating: 5,
    ...more,
  });
  const many = Array.from({ length: manyRows }, (_, index) =>
    of(`No ${index}`, `No ${index}. ${'It works. '.repeat(40)}`, {
      created_at: new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString(),
    }),
  );
  await api('POST', '/imports', { testimonials: many });
  const founder = { submitter_role: 'Founder', submitter_company: 'Fabrikam' };
  await api(
    'POST',
    '/testimonials',
    of('Katharina Lindqvist', 'Calm, and quick. '.repeat(12), founder),
  );
  await api('POST', '/testimonials', of('Noor', arabicText, { submitter_company: arabicCompany }));
});

afterAll(() => setting?.close());

afterEach(async () => {
  await setting.page.setViewportSize({ width: 1280, height: 800 });
});

async function open(path: string, width = 1280, height = 800): Promise<Page> {
  const { page } = setting;
  await page.setViewportSize({ width, height });
  await visit(page, path);
  return page;
}

test.each([320, 375, 414])('every status is in view at %i px, with many of each', async (width) => {
  const page = await open('/testimonials?status=all', width);
  const tabs = page.getByRole('group', { name: 'Status' });
  await tabs
    .getByText(String(manyRows + 2))
    .first()
    .waitFor();
  const hidden = await tabs.evaluate((strip) => {
    for (const { lastElementChild: count } of strip.children) {
      if (count) count.textContent = '123,456';
    }
    return strip.scrollWidth - strip.clientWidth;
  });
  expect(hidden).toBe(0);
});

const selection = (page: Page) => page.getByRole('region', { name: 'Selection' });

test('what is done with all that match counts what was decided before', async () => {
  const page = await open('/testimonials');
  const left = manyRows + 2 - 1;
  await row(page, 'No 58').getByRole('button', { name: 'Reject No 58' }).click();
  await page.getByLabel('Select all that are loaded').check();
  await selection(page)
    .getByRole('button', { name: `Select all ${left} that match` })
    .click();
  await selection(page).getByText(`${left} selected`).waitFor();
  await selection(page).getByText('Delete…').click();
  await page.getByRole('dialog', { name: `Delete ${left} testimonials?` }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test('the question before one testimonial is deleted names it', async () => {
  const page = await open('/testimonials');
  await page.getByLabel('Select Noor', { exact: true }).check();
  await selection(page).getByText('Delete…').click();
  const dialog = page.getByRole('dialog', { name: 'Delete the testimonial of Noor?' });
  await dialog
    .getByText('It is deleted for good, with its uploaded files, and webhooks are told.')
    .waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

/** What has the focus and is not seen at its middle, by its name; null where all is well. */
const covered = (page: Page) =>
  page.evaluate(() => {
    const focused = document.activeElement;
    const box = focused?.getBoundingClientRect();
    if (!focused || !box) return 'nothing has the focus';
    const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    const isSeen = top !== null && (focused.contains(top) || top.contains(focused));
    return isSeen ? null : `${focused.getAttribute('aria-label')} at ${box.y}`;
  });

test.each([
  { width: 640, height: 400 },
  { width: 360, height: 740 },
  { width: 1280, height: 600 },
])('nothing lies over what has the focus, at $width px by $height px', async (size) => {
  // The clock stands, so that what is decided can be taken back for as long as this takes.
  await setting.page.clock.setFixedTime(Date.now());
  const page = await open('/testimonials', size.width, size.height);
  await page.getByLabel('Select No 59', { exact: true }).check();
  await row(page, 'No 57').getByRole('button', { name: 'Approve No 57' }).click();
  await page.getByLabel('Select No 59', { exact: true }).focus();
  const found: (string | null)[] = [];
  for (const key of ['Tab', 'Shift+Tab']) {
    for (let presses = 0; presses < 14; presses += 1) {
      await page.keyboard.press(key);
      found.push(await covered(page));
    }
  }
  await takeScreenshot(page, `inbox-bars-${size.width}`);
  expect(found.filter((what) => what !== null)).toEqual([]);
  await page.getByRole('button', { name: /^Undo/ }).click();
  await page.clock.setSystemTime(Date.now());
});

test('who somebody is can be read on a telephone, beside every status', async () => {
  const page = await open('/testimonials?status=all', 360, 740);
  const from = row(page, 'Katharina Lindqvist').getByText('Founder, Fabrikam');
  await eventually(async () => {
    const isWhole = await from.evaluate((element) => {
      const head = element.parentElement?.getBoundingClientRect();
      const { bottom, height } = element.getBoundingClientRect();
      return head !== undefined && height > 0 && bottom <= head.bottom + 1;
    });
    expect(isWhole).toBe(true);
  });
  await row(page, 'Katharina Lindqvist').getByText('Pending', { exact: true }).waitFor();
  await takeScreenshot(page, 'inbox-all-360');
});

test('the days have names, and one after the other is said to be', async () => {
  const page = await open('/testimonials?from=2026-02-01&to=2026-01-01');
  const filters = page.getByRole('search');
  for (const name of ['From', 'To']) {
    expect(await filters.getByText(name, { exact: true }).isVisible()).toBe(true);
  }
  await page.getByText('The day “From” is after the day “To”.').waitFor();
  await setting.inspect('inbox-days');
  await page.getByLabel('To day (UTC)').fill('2026-02-01');
  await page.getByText('Days are those of UTC.').waitFor();
  await page.getByLabel('From day (UTC)').fill('2026-01-01');
  await page.getByText(`${manyRows - 1} testimonials, days in UTC`).waitFor();
});

test('what is written from right to left is shown so, and stands under its name', async () => {
  const page = await open('/testimonials', 360, 740);
  const noor = row(page, 'Noor');
  const text = noor.getByText(arabicText);
  const { direction, tagName } = await text.evaluate((element) => ({
    direction: getComputedStyle(element).direction,
    tagName: element.tagName,
  }));
  expect([direction, tagName]).toEqual(['rtl', 'P']);
  const startOf = (words: string) =>
    noor.getByText(words, { exact: true }).evaluate((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      return Math.round(range.getBoundingClientRect().left);
    });
  expect(await startOf(arabicCompany)).toBe(await startOf('Noor'));
  await page.setViewportSize({ width: 1280, height: 800 });
  await eventually(async () => expect(await startOf(arabicText)).toBe(await startOf('Noor')));
  await takeScreenshot(page, 'inbox-right-to-left');
  await noor.getByRole('button', { name: 'Open Noor' }).click();
  for (const label of ['Text', 'Role', 'Company']) {
    const field = page.getByRole('dialog').getByLabel(label, { exact: true });
    expect([label, await field.getAttribute('dir')]).toEqual([label, 'auto']);
  }
});

test('rows that are not drawn have their room in the size of text that the reader has chosen', async () => {
  const { page } = setting;
  const session = await page.context().newCDPSession(page);
  await session.send('Page.setFontSizes', { fontSizes: { standard: 24, fixed: 24 } });
  await open('/testimonials');
  const feed = page.getByRole('feed');
  await eventually(async () => {
    expect(await feed.getByRole('article').count()).toBeLessThan(40);
    // A page of 50, each as `--row-height` says of a window of 53 times the size of text.
    expect(await feed.evaluate((list) => list.clientHeight)).toBe(50 * 13 * 24);
  });
  await session.detach();
});

test('rows that are not drawn follow a size of text that changes, and one that is unfolded keeps its room', async () => {
  const page = await open('/testimonials');
  const feed = page.getByRole('feed');
  const third = feed.getByRole('article').nth(2);
  await third.getByRole('button', { name: 'Show more' }).click();
  for (const px of [20, 16]) {
    await page.evaluate((size) => {
      document.documentElement.style.fontSize = `${size}px`;
    }, px);
    await eventually(async () => {
      const unfolded = Math.round((await third.boundingBox())?.height ?? 0);
      expect(unfolded).toBeGreaterThan(8.25 * px);
      expect(await feed.evaluate((list) => list.clientHeight)).toBe(49 * 8.25 * px + unfolded);
    });
  }
});

test('a text that is cut once the window is narrower can be unfolded, and one that is whole need not be', async () => {
  const page = await open('/testimonials');
  const more = row(page, 'Katharina Lindqvist').getByRole('button', { name: 'Show more' });
  await row(page, 'Katharina Lindqvist').waitFor();
  expect(await more.count()).toBe(0);
  await page.setViewportSize({ width: 390, height: 800 });
  await more.waitFor();
  await takeScreenshot(page, 'inbox-cut-narrow');
  await page.setViewportSize({ width: 1280, height: 800 });
  await more.waitFor({ state: 'detached' });
});

/** Of what is printed and is of no use on paper, the words. */
const pressable = (page: Page) =>
  page.locator('a, button, input, select').filter({ visible: true }).allTextContents();

test('on paper there is what was said, and nothing to press', async () => {
  const { data } = await api('GET', `/testimonials?search=${encodeURIComponent(arabicText)}`);
  const from = { submitter_role: longRole, submitter_company: longRole };
  await api('PATCH', `/testimonials/${data[0].id}`, from);
  const page = await open('/testimonials');
  await page.getByLabel('Select Noor', { exact: true }).check();
  await row(page, 'Noor').locator('time').focus();
  const hint = page.getByRole('tooltip');
  await hint.waitFor();
  expect(await cutOnPaper(page)).toEqual([]);
  await onPaper(page, async () => {
    expect(await hint.isVisible()).toBe(false);
    expect(await row(page, 'Noor').getByText(arabicText).isVisible()).toBe(true);
    // Which of them they are.
    expect(await pressable(page)).toEqual([expect.stringMatching(/^Pending/)]);
    await takeScreenshot(page, 'inbox-printed');
    const below = await page
      .getByRole('feed')
      .evaluate((list) => getComputedStyle(list, '::after').content);
    expect(below).toContain('Only those near what was on the screen are printed.');
    // No room is left for rows that are not there.
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(6_000);
  });
});

test('on paper there is nothing to press where nothing is found, or could not be read, either', async () => {
  const page = await open('/testimonials?search=zebra');
  const hasNothingToPress = async () =>
    expect(await pressable(page)).toEqual([expect.stringMatching(/^Pending/)]);
  await page.getByRole('button', { name: 'Clear filters' }).waitFor();
  await onPaper(page, hasNothingToPress);
  await page.route(areRows, (route) => route.abort());
  await page.getByLabel('Order').selectOption('oldest');
  await page.getByRole('button', { name: 'Try again' }).waitFor();
  await onPaper(page, hasNothingToPress);
  await page.unroute(areRows);
});

/** How much further in the buttons of a bar begin than its words do. */
const indent = (bar: Locator) =>
  bar.evaluate((element) => {
    const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode();
    const button = element.querySelector('button')?.getBoundingClientRect();
    if (!text || !button) return 'no words, or no button';
    const words = document.createRange();
    words.selectNodeContents(text);
    const { left, bottom } = words.getBoundingClientRect();
    return button.top < bottom ? 'beside them' : button.left - left;
  });

test('buttons that have no room beside the words of a bar begin where these do', async () => {
  const page = await open('/testimonials', 320);
  await page.route(/testimonials\.updateBatch/, (route) => route.abort());
  await row(page, 'Noor').getByRole('button', { name: 'Approve Noor' }).click();
  await page.evaluate(() => window.dispatchEvent(new Event('pagehide')));
  const bar = page.getByRole('alert').filter({ hasText: 'A decision may not be saved' });
  await bar.getByRole('button', { name: 'Leave it' }).waitFor();
  await eventually(async () => expect(await indent(bar)).toBe(0));
  await bar.getByRole('button', { name: 'Leave it' }).click();
  await page.unroute(/testimonials\.updateBatch/);
});

test('axe found nothing serious on any page, and none is wider than a telephone', () => {
  expect(setting.obstacles).toEqual([]);
});

test('no page asked another host for anything, or complained', () => {
  // The browser's own words for what a test cuts off.
  expect(watchBesides('ERR_FAILED', setting.watch)).toEqual({ foreign: [], complaints: [] });
});
