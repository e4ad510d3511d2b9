import type { Page, Route } from 'playwright-core';
import { openWindow, watchBesides } from './browser';
import { copied, eventually } from './eventually';
import { apiOf, row, submissionOf } from './inbox';
import { createKey, openSetting, type Setting, signUp } from './setting';
import { visit } from './visit';

/** Of one submitter each; the last is the newest, and so the first in the inbox. */
const names = ['Zoe', 'Yan', 'Xia', 'Wim', 'Vera', 'Uma', 'Tove', 'Sam', 'Rosa', 'Quin'];

/** A name that turns whatever follows it around, unless it is kept apart. */
const turningName = 'Ada ‮Park';

let setting: Setting;
let spaceId: string;

beforeAll(async () => {
  setting = await openSetting();
  await signUp(setting.page, 'ada@example.com');
});

afterAll(() => setting?.close());

let api: ReturnType<typeof apiOf>;

const submit = (name: string, more: object = {}) =>
  api('POST', '/testimonials', { ...submissionOf(spaceId, name), ...more });

/** The statuses that the service has, by name. */
async function statuses(): Promise<Record<string, string>> {
  const { data } = await api('GET', '/testimonials?limit=100');
  return Object.fromEntries(
    data.map((row: { submitter_name: string; status: string }) => [row.submitter_name, row.status]),
  );
}

const focused = (page: Page) => page.evaluate(() => document.activeElement?.id);

/** As many as the page leaves to what is drawn before it moves the focus. */
async function framesOf(page: Page): Promise<void> {
  for (let frames = 3; frames > 0; frames--)
    await page.evaluate(() => new Promise(requestAnimationFrame));
}

const focusedName = (page: Page) =>
  page.evaluate(() => document.querySelector('article:focus [id^=name-]')?.textContent);

/** Opens the inbox, and goes to its first row by a key. */
async function enterInbox(page: Page, query = ''): Promise<void> {
  await visit(page, `/testimonials${query}`);
  await page.keyboard.press('k');
  await eventually(async () => expect(await focusedName(page)).toBeTruthy());
}

/** How many requests of decisions left the page. */
function countBatches(page: Page): { count: number } {
  const seen = { count: 0 };
  page.on('request', (request) => {
    if (request.url().includes('testimonials.updateBatch')) seen.count += 1;
  });
  return seen;
}

test('an account that is empty is led to its first testimonial, which then appears by itself', async () => {
  const { page, inspect } = setting;
  await page.getByRole('link', { name: 'Inbox' }).click();
  await page.getByRole('heading', { name: 'Your first testimonial' }).waitFor();
  await inspect('inbox-first-steps');
  api = apiOf(setting, await createKey(page, 'Import'));
  spaceId = (await api('POST', '/spaces', { name: 'Northwind' })).data.id;
  // With the key used, the second step is the open one; its use is written down after the answer.
  await page.waitForFunction(async () => {
    const answer = await fetch('/api/trpc/apiKeys.list');
    return (await answer.text()).includes('"last_used_at":"');
  });
  await page.goto('/testimonials');
  const command = page.getByRole('region', { name: 'testimonial', exact: true });
  await command.getByText(spaceId).waitFor();
  await command.getByText(`${setting.service.url}/api/v1/testimonials`).waitFor();
  await submit(turningName, { submitter_role: 'Head of Support', rating: 4 });
  await row(page, turningName).waitFor();
});

test('shows who said what, kept apart from the page, and cannot be turned around', async () => {
  const { page, inspect } = setting;
  for (const name of names)
    await submit(name, { text_content: `${name}. ${'It works. '.repeat(60)}` });
  await page.reload();
  await row(page, turningName).getByText('Head of Support').waitFor();
  await row(page, turningName).getByRole('img', { name: '4 of 5 stars' }).waitFor();
  const parent = await row(page, turningName)
    .getByText(turningName, { exact: true })
    .evaluate((element) => element.tagName);
  expect(parent).toBe('BDI');
  await row(page, 'Quin').getByRole('button', { name: 'Show more' }).click();
  await row(page, 'Quin').getByRole('button', { name: 'Show less' }).waitFor();
  await inspect('inbox');
});

test('is moderated by keys alone; a decision can be taken back, and is sent with others after 8 s', async () => {
  const { page } = setting;
  const batches = countBatches(page);
  // The clock stands, so that nothing is sent before all is decided, however long that takes.
  await page.clock.setFixedTime(Date.now());
  await enterInbox(page);
  await eventually(async () => expect(await focusedName(page)).toBe('Quin'));
  await page.keyboard.press('j');
  await page.waitForFunction(() =>
    document.querySelector('article:focus')?.textContent?.includes('Rosa'),
  );
  await page.keyboard.press('k');
  await page.waitForFunction(() =>
    document.querySelector('article:focus')?.textContent?.includes('Quin'),
  );
  const sent = page.waitForResponse(/testimonials.updateBatch/);
  await page.keyboard.press('a');
  await row(page, 'Quin').waitFor({ state: 'detached' });
  await page.waitForFunction(() =>
    document.querySelector('article:focus')?.textContent?.includes('Rosa'),
  );
  await page.keyboard.press('r');
  await row(page, 'Rosa').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: /^Undo/ }).waitFor();
  await page.keyboard.press('z');
  await row(page, 'Rosa').waitFor();
  await page.waitForFunction(() =>
    document.querySelector('article:focus')?.textContent?.includes('Rosa'),
  );
  await page.getByRole('button', { name: 'Pending 10' }).waitFor();
  await page.getByRole('button', { name: 'Approved 1' }).waitFor();
  await setting.inspect('inbox-undo');
  await page.clock.setSystemTime(Date.now());
  expect((await sent).status()).toBe(200);
  await page.getByRole('button', { name: /^Undo/ }).waitFor({ state: 'detached' });
  await eventually(async () => expect(batches.count).toBe(1));
  await eventually(async () =>
    expect(await statuses()).toMatchObject({ Quin: 'approved', Rosa: 'pending' }),
  );
});

test('a decision of somebody who leaves is sent at once, to another page or out of the tab', async () => {
  const { page, browser, service } = setting;
  await page.goto('/testimonials');
  // A slow machine may take longer to the link than the decision waits.
  const sent = page.waitForResponse(/testimonials.updateBatch/);
  await row(page, 'Rosa').getByRole('button', { name: 'Approve Rosa' }).click();
  await page.getByRole('link', { name: 'Webhooks' }).click();
  await sent;
  await eventually(async () => expect(await statuses()).toMatchObject({ Rosa: 'approved' }));
  const cookies = await page.context().cookies();
  const second = await openWindow(browser, service.url);
  await second.context.addCookies(cookies);
  await second.page.goto('/testimonials');
  await row(second.page, 'Sam').getByRole('button', { name: 'Reject Sam' }).click();
  await row(second.page, 'Sam').waitFor({ state: 'detached' });
  await second.page.close({ runBeforeUnload: true });
  await eventually(async () => expect(await statuses()).toMatchObject({ Sam: 'rejected' }));
  await second.context.close();
});

test('a decision that is not saved comes back, and says so', async () => {
  const { page, inspect } = setting;
  await page.goto('/testimonials');
  const refuse = (route: Route) => route.abort();
  await page.route(/testimonials.updateBatch/, refuse);
  await row(page, 'Tove').getByRole('button', { name: 'Approve Tove' }).click();
  await row(page, 'Tove').waitFor({ state: 'detached' });
  await page.getByText('A decision may not be saved').waitFor();
  await row(page, 'Tove').waitFor();
  await inspect('inbox-failed');
  expect(await statuses()).toMatchObject({ Tove: 'pending' });
  await page.unroute(/testimonials.updateBatch/, refuse);
  await page.getByRole('button', { name: 'Try again' }).click();
  await row(page, 'Tove').waitFor({ state: 'detached' });
  await page.getByText('A decision may not be saved').waitFor({ state: 'detached' });
  await eventually(async () => expect(await statuses()).toMatchObject({ Tove: 'approved' }));
});

test('keeps what is shown in the address', async () => {
  const { page, inspect } = setting;
  await page.goto('/testimonials');
  await page.getByRole('button', { name: /^All/ }).click();
  await page.getByLabel('Rating').selectOption('4');
  await row(page, turningName).waitFor();
  await page.keyboard.press('Escape');
  await page.getByLabel('Search in the texts').fill('says');
  await page.waitForURL('**/testimonials?status=all&rating=4&search=says');
  await page.reload();
  await row(page, turningName).waitFor();
  await eventually(async () => expect(await page.getByRole('article').count()).toBe(1));
  await page.getByLabel('Search in the texts').fill('nobody says this');
  await page.getByRole('heading', { name: 'No testimonials match' }).waitFor();
  await inspect('inbox-no-match');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.waitForURL('**/testimonials?status=all');
});

test('what is chosen before the last choice is shown leaves that as it is', async () => {
  const { page } = setting;
  await visit(page, '/testimonials');
  const all = await page.getByRole('button', { name: /^All/ }).elementHandle();
  await page.getByLabel('Rating').evaluate((rating, tab) => {
    if (!(tab instanceof HTMLElement && rating instanceof HTMLSelectElement)) throw new Error();
    // Both in one task, so that the page cannot follow in between.
    tab.click();
    rating.value = '4';
    rating.dispatchEvent(new Event('change', { bubbles: true }));
  }, all);
  await page.waitForURL('**/testimonials?status=all&rating=4');
});

test('is opened, corrected, and each action copied as a request', async () => {
  const { page, inspect } = setting;
  await enterInbox(page, '?status=all');
  await row(page, turningName).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Text').fill('Better than it was.');
  await dialog.getByLabel('Rating').selectOption('5');
  await inspect('inbox-testimonial');
  await dialog.getByRole('button', { name: 'Copy as API request' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await copied(page, '{"text_content":"Better than it was.","rating":5}');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await row(page, turningName).getByText('Better than it was.').waitFor();
  await row(page, turningName).getByRole('img', { name: '5 of 5 stars' }).waitFor();
  await page.waitForFunction(() => document.activeElement?.tagName === 'ARTICLE');
});

test('shows the shortcuts, which can be switched off', async () => {
  const { page, inspect } = setting;
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Shortcuts' }).waitFor();
  await inspect('inbox-keys');
  await page.getByLabel('Shortcuts are on in this browser').uncheck();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('/');
  expect(await focused(page)).not.toBe('search-testimonials');
  // Who hears what was decided is not told of a key that does nothing.
  await page
    .getByRole('button', { name: /^Approve /, disabled: false })
    .first()
    .click();
  await page.getByText('approved. Undo takes it back.').waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Shortcuts' }).click();
  await page.getByLabel('Shortcuts are on in this browser').check();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('/');
  await eventually(async () => expect(await focused(page)).toBe('search-testimonials'));
});

test('the search keeps the focus that its key gave it while a dialog closes or a row is gone to', async () => {
  const { page } = setting;
  await page.getByRole('button', { name: 'Shortcuts' }).click();
  await page.getByRole('dialog', { name: 'Shortcuts' }).waitFor();
  await page.evaluate(() => {
    const closing = new MutationObserver(() => {
      if (document.querySelector('[role=dialog]')) return;
      closing.disconnect();
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '/', bubbles: true }));
    });
    closing.observe(document.body, { childList: true, subtree: true });
  });
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await framesOf(page);
  expect(await focused(page)).toBe('search-testimonials');

  await page.locator('#content').focus();
  await page.evaluate(() => {
    for (const key of ['j', '/'])
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
  });
  await framesOf(page);
  expect(await focused(page)).toBe('search-testimonials');
});

test('a row that is gone to while a key goes to another keeps the focus', async () => {
  const { page } = setting;
  await enterInbox(page, '?status=all');
  await row(page, turningName).evaluate((element) => {
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', bubbles: true }));
    element.focus();
  });
  await framesOf(page);
  expect(await focusedName(page)).toBe(turningName);
});

test('is deleted after a question, alone and by selection', async () => {
  const { page, inspect } = setting;
  await page.goto('/testimonials?status=all');
  for (const name of ['Zoe', 'Yan'])
    await page.getByLabel(`Select ${name}`, { exact: true }).check();
  await inspect('inbox-selected');
  await page.getByRole('region', { name: 'Selection' }).getByText('Delete…').click();
  const dialog = page.getByRole('dialog', { name: 'Delete 2 testimonials' });
  await inspect('inbox-delete');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByText('2 of 2 testimonials deleted').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await row(page, 'Zoe').waitFor({ state: 'detached' });
  await row(page, 'Xia').getByRole('button', { name: 'Open Xia' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('1 of 1 testimonial deleted').waitFor();
  await page.getByRole('button', { name: 'Close' }).last().click();
  expect(Object.keys(await statuses())).not.toEqual(expect.arrayContaining(['Xia']));
});

test('axe found nothing serious on any page, and none is wider than a telephone', () => {
  expect(setting.obstacles).toEqual([]);
});

test('no page asked another host for anything, or complained', () => {
  // The browser's own words for what the tests cut off.
  expect(watchBesides('ERR_FAILED', setting.watch)).toEqual({ foreign: [], complaints: [] });
});
