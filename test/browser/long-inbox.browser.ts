import type { Locator } from 'playwright-core';
import { openWindow, watchBesides } from './browser';
import { eventually } from './eventually';
import { type apiOf, areRows, hold, row, signUpWithSpace } from './inbox';
import { openSetting, type Setting } from './setting';

let setting: Setting;
let api: ReturnType<typeof apiOf>;
let spaceId: string;

beforeAll(async () => {
  setting = await openSetting();
  ({ api, spaceId } = await signUpWithSpace(setting, 'Import'));
  await importMany(260, 'No', Date.UTC(2026, 0, 1));
});

afterAll(() => setting?.close());

const saving = /testimonials.updateBatch/;

/** They are asked for anew once a decision was saved. */
const areCounts = (url: URL) => url.pathname.includes('testimonials.list') && !areRows(url);

/** Whole, where it was not scrolled to. */
async function isOnScreen(shown: Locator): Promise<boolean> {
  const box = await shown.boundingBox();
  return box !== null && box.y >= 0 && box.y + box.height <= 800;
}

/** A minute apart, the last the newest. */
async function importMany(count: number, name: string, firstMs: number): Promise<void> {
  const testimonials = Array.from({ length: count }, (_, index) => ({
    space_id: spaceId,
    type: 'text',
    submitter_name: `${name} ${index}`,
    submitter_email: 'someone@northwind.example',
    text_content: `${name} ${index} says that it works.`,
    created_at: new Date(firstMs + index * 60_000).toISOString(),
  }));
  const { created } = await api('POST', '/imports', { testimonials });
  expect(created).toBe(count);
}

test('may be scrolled before the page listens', async () => {
  const { page, browser, service } = setting;
  const slow = await openWindow(browser, service.url);
  await slow.context.addCookies(await page.context().cookies());
  const session = await slow.context.newCDPSession(slow.page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await slow.page.goto('/testimonials', { waitUntil: 'commit' });
  await slow.page.getByRole('article').first().waitFor();
  await slow.page.mouse.wheel(0, 800);
  // Of the server there are those of the first window alone.
  await row(slow.page, 'No 245').waitFor();
  await eventually(async () => expect(await slow.page.evaluate(() => window.scrollY)).toBe(800));
  expect(slow.watch).toEqual({ foreign: [], complaints: [] });
  await slow.context.close();
});

test('scroll with few rows in the page, each once, and nothing is skipped', async () => {
  const { page } = setting;
  await page.goto('/testimonials');
  const seen = new Set<string>();
  for (let rounds = 0; rounds < 400 && !seen.has('No 0'); rounds += 1) {
    const names = await page.locator('[id^=name-]').allTextContents();
    expect(names.length).toBeLessThan(40);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) seen.add(name);
    // Half a window, so that a row which is drawn late is still there in the next round.
    await page.mouse.wheel(0, 400);
    await page.waitForTimeout(60);
  }
  expect(seen.size).toBe(260);
});

test('keep a correction that is saved while more of them are read', async () => {
  const { page } = setting;
  await page.goto('/testimonials?status=all');
  const rows = await hold(page, 'answers', areRows);
  await row(page, 'No 259').getByRole('button', { name: 'Open No 259' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Text').fill('Better than it was.');
  await page.evaluate(() => window.scrollTo(0, 4_500));
  await rows.isHeld();
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await rows.release();
  await eventually(async () => {
    await page.evaluate(() => window.scrollTo(0, 6_600));
    expect(await row(page, 'No 205').count()).toBe(1);
  });
  await page.evaluate(() => window.scrollTo(0, 0));
  await row(page, 'No 259').getByText('Better than it was.').waitFor();
});

test('are shown in a view that was chosen just before a decision is saved', async () => {
  const { page } = setting;
  await page.goto('/testimonials');
  await row(page, 'No 258').getByRole('button', { name: 'Approve No 258' }).click();
  const saved = page.waitForResponse(saving);
  const rows = await hold(page, 'answers', areRows);
  await page.getByRole('button', { name: /^Approved/ }).click();
  await rows.isHeld();
  await saved;
  await page.getByRole('button', { name: /^Undo/ }).waitFor({ state: 'detached' });
  await rows.release();
  await row(page, 'No 258').waitFor();
});

test('are all decided in batches that can be stopped, and what fails is said', async () => {
  const { page, inspect } = setting;
  await page.goto('/testimonials');
  await page.getByLabel('Select all that are loaded').check();
  await page.getByRole('button', { name: /^Select all \d+ that match/ }).click();
  let calls = 0;
  await page.route(saving, async (route) => {
    calls += 1;
    // As a proxy that has waited for long enough.
    if (calls === 2) await route.fulfill({ status: 504, body: '' });
    else await route.continue();
  });
  await page.getByRole('region', { name: 'Selection' }).getByText('Approve').click();
  const dialog = page.getByRole('dialog');
  await inspect('inbox-all');
  await dialog.getByRole('button', { name: 'Approve' }).click();
  await dialog.getByText('100 testimonials may not be approved.').waitFor();
  await inspect('inbox-all-failed');
  await eventually(async () => expect(calls).toBe(3));
  await dialog.getByRole('button', { name: 'Try these again' }).click();
  await dialog.getByText('100 of 100 testimonials approved').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('heading', { name: 'All done' }).waitFor();
  await inspect('inbox-done');
  expect((await api('GET', '/testimonials?status=pending')).pagination.total).toBe(0);
  await api('POST', '/testimonials', {
    space_id: spaceId,
    type: 'text',
    submitter_name: 'Late',
    submitter_email: 'late@northwind.example',
    text_content: 'It works.',
  });
  await row(page, 'Late').waitFor();
});

test('what could not be read is said where one has scrolled to, and comes when it is tried again', async () => {
  const { page, inspect } = setting;
  await page.goto('/testimonials?status=all');
  await row(page, 'No 259').waitFor();
  await page.route(areRows, (route) => route.abort());
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  const alert = page.getByRole('alert').filter({ hasText: 'could not be reached' });
  await alert.waitFor();
  await inspect('inbox-rows-failed');
  expect(await isOnScreen(alert)).toBe(true);
  // Of what is busy, what is read aloud may wait until it is no more.
  expect(await page.getByRole('feed').getAttribute('aria-busy')).toBe('false');
  await page.unroute(areRows);
  await alert.getByRole('button', { name: 'Try again' }).click();
  await row(page, 'No 210').waitFor();
  await alert.waitFor({ state: 'detached' });
});

test('a decision that is not saved says so where one has scrolled to', async () => {
  const { page } = setting;
  await page.goto('/testimonials?status=all');
  await row(page, 'No 259').waitFor();
  await page.route(saving, (route) => route.abort());
  await page.evaluate(() => window.scrollTo(0, 3_000));
  await row(page, 'No 235').getByRole('button', { name: 'Reject No 235' }).click();
  const alert = page.getByRole('alert').filter({ hasText: 'A decision may not be saved' });
  await alert.waitFor();
  expect(await isOnScreen(alert)).toBe(true);
  await alert.getByRole('button', { name: 'Leave it' }).click();
  await alert.waitFor({ state: 'detached' });
  await page.unroute(saving);
});

describe('whose beginning is out of memory', () => {
  const first = 'Early 899';

  beforeAll(() => importMany(900, 'Early', Date.UTC(2026, 1, 1)));

  beforeEach(async () => {
    const { page } = setting;
    await page.goto('/testimonials?status=all');
    await row(page, 'Late').waitFor();
  });

  /** Until the pages of the beginning have given way to others. */
  async function scrollToEnd(): Promise<void> {
    const { page } = setting;
    await eventually(async () => {
      await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
      expect(await row(page, 'No 0').count()).toBe(1);
    });
  }

  test('are gone back to at once, with what was saved on the way', async () => {
    const { page } = setting;
    const save = await hold(page, 'requests', saving);
    await row(page, first)
      .getByRole('button', { name: `Approve ${first}` })
      .click();
    await save.isHeld();
    await scrollToEnd();
    const rows = await hold(page, 'answers', areRows);
    await page.evaluate(() => window.scrollTo(0, 0));
    await rows.isHeld();
    const counted = page.waitForResponse((answer) => areCounts(new URL(answer.url())));
    await save.release();
    await counted;
    await rows.release();
    await row(page, first).getByText('Approved', { exact: true }).waitFor();
  });

  test('are as many as they were, also after another view was begun', async () => {
    const { page } = setting;
    await scrollToEnd();
    const place = await row(page, 'No 0').getAttribute('aria-posinset');
    await page.getByRole('button', { name: /^Rejected/ }).click();
    await page.getByRole('heading', { name: 'None yet' }).waitFor();
    await page.getByRole('button', { name: /^All/ }).click();
    await eventually(async () => {
      await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
      // Not longer: what was reached is not the end any more once further rows have come.
      const last = row(page, 'No 0').getAttribute('aria-posinset', { timeout: 1000 });
      expect(await last).toBe(place);
    });
  });

  test('say where they could not be read, ask no more, and come when it is tried again', async () => {
    const { page } = setting;
    await scrollToEnd();
    let asked = 0;
    await page.route(areRows, (route) => {
      asked += 1;
      return route.abort();
    });
    await page.evaluate(() => window.scrollTo(0, 0));
    const alert = page.getByRole('alert').filter({ hasText: 'could not be reached' });
    await alert.waitFor();
    // Drawn anew, the list would ask again.
    await page.evaluate(() => window.scrollTo(0, 300));
    await page.evaluate(() => window.scrollTo(0, 0));
    expect(asked).toBe(1);
    await page.unroute(areRows);
    await alert.getByRole('button', { name: 'Try again' }).click();
    await row(page, first).waitFor();
    await alert.waitFor({ state: 'detached' });
  });
});

test('axe found nothing serious on any page, and none is wider than a telephone', () => {
  expect(setting.obstacles).toEqual([]);
});

test('no page asked another host for anything, or complained', () => {
  // The browser's own words for what the tests cut off, and for a proxy that has waited for long enough.
  const watch = watchBesides('status of 504', watchBesides('ERR_FAILED', setting.watch));
  expect(watch).toEqual({ foreign: [], complaints: [] });
});
