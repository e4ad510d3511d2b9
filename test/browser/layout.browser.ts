import type { Page } from 'playwright-core';
import { pagesOfApp } from '../pages/page-addresses';
import { openWindow, takeScreenshot } from './browser';
import { cutOff, overflowsSideways } from './checks';
import { eventually } from './eventually';
import { type apiOf, signUpWithSpace } from './inbox';
import { nowhere } from './receiver';
import { createKey, openSetting, type Setting, signIn } from './setting';
import { visit, visitAgain } from './visit';

/** Beside the navigation, where there is the least room, and above it, on telephones. */
const widths = [320, 375, 768, 769, 820, 960, 1024, 1180, 1280];

/** Below it, a name or what somebody is may end in dots: it is whole where the row is opened. */
const firstWithoutDots = 768;

/** Of these, pictures are taken for people to look at. */
const pictured = [375, 820, 1024];

let setting: Setting;
let api: ReturnType<typeof apiOf>;

/** Each with what it is to show before one looks at it. */
let pages: Record<string, string>;

beforeAll(async () => {
  setting = await openSetting();
  const { page, service } = setting;
  const signedUp = await signUpWithSpace(setting, 'Website');
  ({ api } = signedUp);
  await createKey(page, 'Production, import of the archive');
  await api('POST', '/spaces', {
    name: 'Northwind Traders, customers of the north',
    description: 'What those say who have ordered within the last year.',
  });
  for (const [name, more] of Object.entries(testimonials)) {
    await api('POST', '/testimonials', {
      space_id: signedUp.spaceId,
      type: 'text',
      submitter_name: name,
      submitter_email: 'someone@northwind.example',
      text_content: `${name} says: ${'it works as it should. '.repeat(12)}`,
      ...more,
    });
  }
  const endpoint = await api('POST', '/webhook-endpoints', {
    url: `${nowhere}receivers/testimonials/production`,
    description: 'The shop, which shows what is approved.',
    event_types: ['testimonial.created', 'testimonial.approved', 'testimonial.rejected'],
  });
  await api('POST', `/webhook-endpoints/${endpoint.data.id}/test`);
  await api('POST', '/testimonials/batch/update', { testimonial_ids: ['none'], status: 'none' });
  // Another browser in the list of those that are signed in.
  const other = await openWindow(setting.browser, service.url);
  await signIn(other.page, 'ada@example.com');
  await other.context.close();
  pages = {
    '/testimonials': 'Grace Okonkwo',
    '/testimonials?status=all': 'Grace Okonkwo',
    '/spaces': 'Northwind Traders',
    '/api-keys': 'Production, import of the archive',
    '/requests': 'batch/update',
    '/webhooks': 'receivers/testimonials',
    '/webhooks/[endpointId]': 'Test',
    '/account': 'Sign out',
  };
  addresses['/webhooks/[endpointId]'] = `/webhooks/${endpoint.data.id}`;
});

afterAll(() => setting?.close());

const addresses: Record<string, string> = {};

const testimonials: Record<string, object> = {
  'Katharina Lindqvist': {
    submitter_role: 'Head of Customer Success',
    submitter_company: 'Northwind Traders',
    rating: 5,
  },
  'Ada Park': { submitter_role: 'Founder', submitter_company: 'Fabrikam', rating: 4 },
  'Grace Okonkwo': { rating: 3 },
};

async function open(page: Page, path: string, text: string): Promise<void> {
  await visit(page, path);
  await eventually(async () =>
    expect(await page.locator('#content').textContent()).toContain(text),
  );
}

test('every page of the dashboard is among those that are looked at', () => {
  const known = Object.keys(pages);
  const all = pagesOfApp().filter(({ isOfDashboard }) => isOfDashboard);
  expect(all.map(({ path }) => path).filter((path) => !known.includes(path))).toEqual([]);
});

test('nothing is cut or runs off, whatever the width', async () => {
  const { page } = setting;
  const found: string[] = [];
  for (const [path, text] of Object.entries(pages)) {
    await page.setViewportSize({ width: 1280, height: 800 });
    await open(page, addresses[path] ?? path, text);
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      for (const what of await cutOff(page)) {
        if (width >= firstWithoutDots || !what.startsWith('ends in dots')) {
          found.push(`${path} at ${width}: ${what}`);
        }
      }
      if (pictured.includes(width)) await picture(page, `layout${path}-${width}`);
    }
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  expect(found).toEqual([]);
});

test.each([320, 375])('the section that one is in is in view at %i px', async (width) => {
  const { page } = setting;
  await page.setViewportSize({ width, height: 800 });
  const current = page.getByRole('navigation', { name: 'Main' }).locator('[aria-current]');
  for (const name of ['Inbox', 'Webhooks', 'API keys']) {
    await page.getByRole('link', { name, exact: true }).click();
    await page.getByRole('heading', { name, exact: true, level: 1 }).waitFor();
    await eventually(async () => {
      const box = await current.boundingBox();
      expect(await current.textContent()).toBe(name);
      expect(box?.x).toBeGreaterThanOrEqual(0);
      expect((box?.x ?? width) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
    });
    // After a load too, where nothing was clicked.
    await visitAgain(page);
    await eventually(async () => {
      const box = await current.boundingBox();
      expect((box?.x ?? width) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
    });
  }
  await page.setViewportSize({ width: 1280, height: 800 });
});

test('in colours of the reader it is seen what is chosen', async () => {
  const { page } = setting;
  await page.emulateMedia({ forcedColors: 'active' });
  const backs = (selector: string) =>
    page
      .locator(selector)
      .evaluateAll((found) => found.map((element) => getComputedStyle(element).backgroundColor));
  await open(page, '/testimonials', 'Grace Okonkwo');
  for (const [chosen, others] of [
    ['nav [aria-current=page]', 'nav a:not([aria-current])'],
    ['[aria-pressed=true]', '[aria-pressed=false]'],
  ] as const) {
    const [back] = await backs(chosen);
    expect(back).toMatch(/^rgb/);
    expect(await backs(others)).not.toContain(back);
  }
  await open(page, '/requests', 'batch/update');
  expect(await backs('.mantine-Switch-track')).not.toEqual(await backs('main'));
  await page.emulateMedia({ forcedColors: 'none' });
});

test('words without a break take nothing else out of view', async () => {
  const { page } = setting;
  const word = 'W'.repeat(100);
  await createKey(page, word);
  const url = `${nowhere}${word}`;
  const { data } = await api('POST', '/webhook-endpoints', {
    url,
    description: word,
    event_types: ['testimonial.created'],
  });
  await api('POST', '/testimonials', {
    space_id: (await api('GET', '/spaces')).data[0].id,
    type: 'text',
    submitter_name: word,
    submitter_email: 'someone@northwind.example',
    text_content: word,
  });
  for (const width of [320, 820, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    for (const path of ['/webhooks', `/webhooks/${data.id}`]) {
      await open(page, path, word);
      const found = await cutOff(page);
      expect([width, path, found.filter((what) => !what.startsWith('ends in dots'))]).toEqual([
        width,
        path,
        [],
      ]);
    }
    await open(page, '/api-keys', word);
    await page.getByRole('button', { name: `Actions for ${word}` }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Close' }).waitFor();
    expect(await dialog.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
    await page.keyboard.press('Escape');
  }
});

test('a word without a break stays in a dialog and in the band of what was decided', async () => {
  const { page } = setting;
  const word = 'W'.repeat(100);
  const space = await api('POST', '/spaces', { name: word });
  for (const width of [320, 820, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await open(page, '/spaces', word);
    await page.getByRole('button', { name: `Actions for ${word}` }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await page.getByText(`The slug stays: ${space.data.slug}`).waitFor();
    const dialog = page.getByRole('dialog');
    expect(await dialog.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
    const name = `${width}${word}`.slice(0, 100);
    await api('POST', '/testimonials', {
      space_id: space.data.id,
      type: 'text',
      submitter_name: name,
      submitter_email: 'someone@northwind.example',
    });
    await open(page, '/testimonials', name);
    await page.getByRole('button', { name: `Approve ${name}` }).click();
    await page.getByRole('region', { name: 'Undo' }).waitFor();
    const found = await cutOff(page);
    expect(found.filter((what) => !what.startsWith('ends in dots'))).toEqual([]);
  }
  await api('DELETE', `/spaces/${space.data.id}`);
});

/** Has the browser show text as its reader chooses, by the size in px of what is usually 16. */
async function chooseTextSize(page: Page) {
  const session = await page.context().newCDPSession(page);
  return (standard: number) =>
    session.send('Page.setFontSizes', { fontSizes: { standard, fixed: standard } });
}

/** The size in px of every text of the page, by what it says. */
const textSizes = (page: Page) =>
  page.evaluate(() => {
    const sizes: Record<string, number> = {};
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let at = texts.nextNode(); at; at = texts.nextNode()) {
      const { textContent, parentElement } = at;
      if (!textContent?.trim() || !parentElement?.checkVisibility()) continue;
      sizes[textContent] = Number.parseFloat(getComputedStyle(parentElement).fontSize);
    }
    return sizes;
  });

test('every text is as large as the reader has chosen in the browser, and none is cut by it', async () => {
  const { page } = setting;
  await page.setViewportSize({ width: 1280, height: 800 });
  const choose = await chooseTextSize(page);
  const found: string[] = [];
  for (const [path, text] of Object.entries(pages)) {
    await open(page, addresses[path] ?? path, text);
    const usual = await textSizes(page);
    await choose(24);
    await open(page, addresses[path] ?? path, text);
    const large = Object.entries(await textSizes(page)).filter(([words]) => usual[words]);
    expect(large.length).toBeGreaterThan(10);
    for (const [words, size] of large) {
      if (size !== 1.5 * (usual[words] ?? 0)) found.push(`${path}: ${words} has ${size}`);
    }
    for (const what of await cutOff(page)) {
      if (!what.startsWith('ends in dots')) found.push(`${path}: ${what}`);
    }
    // With the emulation that it needs the browser forgets the size.
    await picture(page, `layout${path}-large-text`);
    await choose(16);
  }
  expect(found).toEqual([]);
});

/** Ends in a row of one height, or in a field that shows as much as it has room for. */
const mayEnd = /^(ends in dots|cut: <(div|select)>)/;

test('text of twice its size fits a telephone, with all that can be pressed', async () => {
  const { page } = setting;
  await page.setViewportSize({ width: 390, height: 844 });
  const choose = await chooseTextSize(page);
  const found: string[] = [];
  for (const [path, text] of Object.entries(pages)) {
    // With the emulation that pictures need the browser forgets the size.
    await choose(32);
    await open(page, addresses[path] ?? path, text);
    if (await overflowsSideways(page)) found.push(`${path}: wider than the window`);
    for (const what of await cutOff(page)) {
      if (!mayEnd.test(what)) found.push(`${path}: ${what}`);
    }
    await picture(page, `layout${path}-twice`);
  }
  await choose(16);
  expect(found).toEqual([]);
});

test('in a low window what lies below in the navigation is scrolled to', async () => {
  const { page } = setting;
  await page.setViewportSize({ width: 900, height: 320 });
  await open(page, '/account', 'Sign out');
  await page.getByRole('banner').getByRole('button', { name: 'Account' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
  await page.keyboard.press('Escape');
});

test.each([
  ['/api-keys', 'Create key'],
  ['/spaces', 'Create space'],
  ['/webhooks', 'Add endpoint'],
  ['/account', 'Change e-mail'],
  ['/account', 'Delete account'],
  ['/testimonials', 'Open Ada Park'],
])('the dialog of %s behind “%s” fits a window of 320 px', async (path, name) => {
  const { page } = setting;
  await page.setViewportSize({ width: 320, height: 256 });
  await open(page, path, '');
  await page.getByRole('button', { name }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Close' }).waitFor();
  expect(await dialog.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
  const found = await cutOff(page);
  expect(found.filter((what) => !what.startsWith('ends in dots'))).toEqual([]);
});

async function picture(page: Page, name: string): Promise<void> {
  const file = name.replaceAll(/[^\w-]/g, '-');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await takeScreenshot(page, `${file}-${colorScheme}`, true);
  }
  await page.emulateMedia({ colorScheme: 'light' });
}
