import type { Route } from 'playwright-core';
import { type Watch, watchBesides } from './browser';
import { eventually } from './eventually';
import { type apiOf, areRows, hold, row, signUpWithSpace } from './inbox';
import { openSetting, type Setting, signInAgain } from './setting';
import { visit, visitAgain } from './visit';

let setting: Setting;
let api: ReturnType<typeof apiOf>;
let spaceId: string;

beforeAll(async () => {
  setting = await openSetting();
  ({ api, spaceId } = await signUpWithSpace(setting, 'Import'));
});

afterAll(() => setting?.close());

const saving = /testimonials\.updateBatch/;

const idsOf = async (query: string): Promise<string[]> => {
  const { data } = await api('GET', `/testimonials?limit=100${query}`);
  return data.map(({ id }: { id: string }) => id);
};

const testimonialOf = (submitter_name: string, index: number) => ({
  space_id: spaceId,
  type: 'text',
  submitter_name,
  submitter_email: 'someone@northwind.example',
  text_content: `${submitter_name} says that it works.`,
  created_at: new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString(),
});

/** So many that wait for a decision and no others, `No 0` the oldest, and the inbox of them. */
async function openInboxOf(count: number): Promise<void> {
  for (let ids = await idsOf(''); ids.length > 0; ids = await idsOf(''))
    await api('POST', '/testimonials/batch/delete', { testimonial_ids: ids });
  const testimonials = Array.from({ length: count }, (_, index) =>
    testimonialOf(`No ${index}`, index),
  );
  await api('POST', '/imports', { testimonials });
  await visit(setting.page, '/testimonials');
  await setting.page.keyboard.press('k');
  await setting.page.locator('article:focus').waitFor();
}

const pending = async () => (await api('GET', '/testimonials?status=pending')).pagination.total;

const dialog = () => setting.page.getByRole('dialog', { name: /^(Approve|Delete)/ });
const inDialog = (name: string) => dialog().getByRole('button', { name, exact: true });
const selection = () => setting.page.getByRole('region', { name: 'Selection' });

async function selectAll(): Promise<void> {
  const { page } = setting;
  await page.getByLabel('Select all that are loaded').check();
  await page.getByRole('button', { name: /^Select all \d+ that match/ }).click();
}

/** All that match are being approved. */
async function approveAll(): Promise<void> {
  await selectAll();
  await selection().getByText('Approve').click();
  await inDialog('Approve').click();
}

async function close(): Promise<void> {
  await inDialog('Close').last().click();
  await dialog().waitFor({ state: 'detached' });
}

async function expectFocusOn(name: string): Promise<void> {
  const { page } = setting;
  await eventually(async () => {
    const focused = page.locator('article:focus [id^=name-]');
    expect(await focused.allTextContents()).toEqual([name]);
  });
}

/** The service's own answer to who asks too much. */
const tooMuch = {
  status: 429,
  json: [{ error: { message: '', code: -32_029, data: { code: 'RATE_LIMIT_EXCEEDED' } } }],
};

describe('all that match', () => {
  test('are gone on with to their end where the session was over in the midst', async () => {
    const { page, inspect } = setting;
    await openInboxOf(260);
    let calls = 0;
    const end = async (route: Route) => {
      calls += 1;
      if (calls === 2) await page.context().clearCookies();
      const headers = route.request().headers();
      await route.continue({ headers: calls === 2 ? { ...headers, cookie: '' } : headers });
    };
    await page.route(saving, end);
    await approveAll();
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
    await page.unroute(saving, end);
    await signInAgain(page);
    await dialog().getByText('100 testimonials not approved.').waitFor();
    await dialog().getByText('100 of 260 testimonials approved. 60 were not tried').waitFor();
    await inspect('inbox-all-cut-short');
    await inDialog('Go on').click();
    await dialog().getByText('160 of 160 testimonials approved').waitFor();
    expect(await inDialog('Go on').count()).toBe(0);
    expect(await pending()).toBe(0);
    await close();
  });

  test('say that they wait where they were read too fast, and stop at once', async () => {
    const { page } = setting;
    await openInboxOf(210);
    const refuse = (route: Route) => route.fulfill(tooMuch);
    const refuseAfterThis = async (route: Route) => {
      await page.route(areRows, refuse);
      await route.continue();
    };
    await page.route(saving, refuseAfterThis);
    await approveAll();
    await dialog().getByText('Too many requests: going on in a moment').waitFor();
    await inDialog('Stop').click();
    await dialog().getByText('100 of 210 testimonials approved. 110 were not tried').waitFor();
    expect(await dialog().getByText('going on in a moment').count()).toBe(0);
    await page.unroute(areRows, refuse);
    await page.unroute(saving, refuseAfterThis);
    await inDialog('Go on').click();
    await dialog().getByText('110 of 110 testimonials approved').waitFor();
    await close();
  });

  test('keep the page while they are under way, and say that they are being stopped', async () => {
    const { page } = setting;
    await openInboxOf(110);
    await page.getByRole('link', { name: 'Spaces' }).click();
    await page.waitForURL('**/spaces');
    await page.getByRole('link', { name: 'Inbox' }).click();
    await row(page, 'No 109').waitFor();
    const save = await hold(page, 'requests', saving);
    await approveAll();
    await save.isHeld();
    const isBack = page.waitForEvent('framenavigated', (frame) => frame.url().endsWith('/spaces'));
    const isHere = isBack.then(() => page.waitForURL('**/testimonials'));
    await page.evaluate(() => window.history.back());
    await isHere;
    const asked = page.waitForEvent('dialog');
    const reloaded = page.evaluate(() => window.location.reload());
    const question = await asked;
    expect(question.type()).toBe('beforeunload');
    await question.dismiss();
    await reloaded;
    expect(new URL(page.url()).pathname).toBe('/testimonials');
    await inDialog('Stop').click();
    await inDialog('Stopping…').waitFor();
    await save.release();
    await dialog().getByText('100 of 110 testimonials approved. 10 were not tried').waitFor();
    await close();
  });

  test('are shown as selected where they are loaded later, and one of them can be left out', async () => {
    const { page } = setting;
    await openInboxOf(70);
    await selectAll();
    const last = page.getByLabel('Select No 0', { exact: true });
    await eventually(async () => {
      await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
      expect(await last.count()).toBe(1);
    });
    expect(await last.isChecked()).toBe(true);
    await last.uncheck();
    await selection().getByText('69 selected').waitFor();
  });
});

test('of those that are deleted, what somebody else has decided on meanwhile is not said to be gone', async () => {
  await openInboxOf(60);
  await selectAll();
  await selection().getByText('Delete…').click();
  const [id] = await idsOf('&search=No 7 says');
  await api('PATCH', `/testimonials/${id}`, { status: 'approved' });
  await inDialog('Delete').click();
  await dialog().getByText('59 of 59 testimonials deleted').waitFor();
  await dialog().getByText('1 more was gone already, or not among these any more').waitFor();
  await inDialog('Close').last().click();
  expect(await idsOf('')).toEqual([id]);
});

test('of those that a search has found, a decided one is not counted any more', async () => {
  const { page } = setting;
  await openInboxOf(4);
  await visit(page, '/testimonials?search=says');
  const summary = page.locator('label', { hasText: /^\d+ testimonial/ });
  await row(page, 'No 3').getByRole('button', { name: 'Approve No 3' }).click();
  await eventually(async () => expect(await summary.textContent()).toBe('3 testimonials'));
  await page.getByRole('button', { name: /^Undo/ }).click();
  await eventually(async () => expect(await summary.textContent()).toBe('4 testimonials'));
  const saved = page.waitForResponse(saving);
  await row(page, 'No 3').getByRole('button', { name: 'Approve No 3' }).click();
  await saved;
  await page.getByRole('button', { name: /^Undo/ }).waitFor({ state: 'detached' });
  expect(await summary.textContent()).toBe('3 testimonials');
  await page.getByLabel('Select all that are loaded').check();
  await selection().getByText('3 selected').waitFor();
  expect(await page.getByRole('button', { name: /that match/ }).count()).toBe(0);
});

describe('one goes on where one was', () => {
  test('after the row was deleted', async () => {
    const { page } = setting;
    await openInboxOf(30);
    await row(page, 'No 22').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete…' }).click();
    await inDialog('Delete').click();
    await dialog().getByText('1 of 1 testimonial deleted').waitFor();
    await close();
    await expectFocusOn('No 21');
    await page.keyboard.press('j');
    await expectFocusOn('No 20');
  });

  test('after somebody else has deleted it', async () => {
    const { page } = setting;
    await openInboxOf(30);
    // What was saved meanwhile has the list read again once one is back.
    await row(page, 'No 29').getByRole('button', { name: 'Approve No 29' }).click();
    const saved = page.waitForResponse(saving);
    await page.evaluate(() => window.dispatchEvent(new Event('pagehide')));
    await saved;
    await page.getByRole('button', { name: /^Undo/ }).waitFor({ state: 'detached' });
    await row(page, 'No 22').focus();
    const [id] = await idsOf('&search=No%2022%20says');
    await api('DELETE', `/testimonials/${id}`);
    await eventually(async () => {
      await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
      expect(await row(page, 'No 22').count()).toBe(0);
    });
    await page.keyboard.press('j');
    await expectFocusOn('No 21');
  });

  test('by a key on what is on the screen, where the row was scrolled away', async () => {
    const { page } = setting;
    await openInboxOf(45);
    await row(page, 'No 43').focus();
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await row(page, 'No 43').waitFor({ state: 'detached' });
    await row(page, 'No 0').waitFor();
    const before = await page.evaluate(() => window.scrollY);
    await page.keyboard.press('j');
    const focused = page.locator('article:focus');
    await focused.waitFor();
    // By no more than what a row lacks to be on the screen as a whole.
    expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(before - 200);
    const first = await focused.getAttribute('aria-posinset');
    await page.keyboard.press('j');
    await eventually(async () =>
      expect(await focused.getAttribute('aria-posinset')).toBe(String(Number(first) + 1)),
    );
  });

  test('where what is taken back is not in the view', async () => {
    const { page } = setting;
    await openInboxOf(8);
    const [id] = await idsOf('&search=No%205%20says');
    await api('PATCH', `/testimonials/${id}`, { status: 'approved' });
    await visitAgain(page);
    await row(page, 'No 7').getByRole('button', { name: 'Reject No 7' }).click();
    await page.getByRole('button', { name: /^Approved/ }).click();
    await row(page, 'No 5').waitFor();
    await row(page, 'No 5').focus();
    await page.keyboard.press('z');
    await page.getByText('Taken back: No 7').waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Pending 7' }).waitFor();
    await expectFocusOn('No 5');
  });
});

test('what somebody else has deleted is said to be gone, and two rows of one name are read out as two', async () => {
  const { page } = setting;
  await openInboxOf(4);
  await page.getByLabel('Select No 0', { exact: true }).check();
  const ids = await idsOf('');
  await api('POST', '/testimonials/batch/delete', { testimonial_ids: ids });
  await selection().getByText('Delete').click();
  await inDialog('Delete').click();
  await dialog().getByText('No testimonial was deleted').waitFor();
  await dialog().getByText('1 was gone already').waitFor();
  await close();
  await api('POST', '/imports', { testimonials: ['Twin', 'Twin', 'Other'].map(testimonialOf) });
  await visitAgain(page);
  // The clock stands, so that what is decided can be taken back for as long as this takes.
  await page.clock.setFixedTime(Date.now());
  const spoken = page.locator('[aria-live=polite] > div').first();
  await page.getByRole('button', { name: 'Approve Twin' }).first().click();
  const first = await spoken.elementHandle();
  await page.getByRole('button', { name: 'Approve Twin' }).click();
  await eventually(async () =>
    expect(await first?.evaluate((element) => element.isConnected)).toBe(false),
  );
  await page.getByRole('button', { name: /^Undo/ }).dblclick();
  await page.getByRole('button', { name: 'Pending 2' }).waitFor();
  await page.getByRole('button', { name: /^Undo/ }).click();
  await page.getByRole('button', { name: 'Pending 3' }).waitFor();
  const [other] = await idsOf('&search=Other%20says');
  await api('DELETE', `/testimonials/${other}`);
  await page.getByRole('button', { name: 'Approve Other' }).click();
  await page.evaluate(() => window.dispatchEvent(new Event('pagehide')));
  const alert = page.getByRole('alert');
  await alert.getByText('The testimonial of Other was deleted meanwhile').waitFor();
  await setting.inspect('inbox-gone');
  await alert.getByRole('button', { name: 'Close' }).click();
  await page.getByText('deleted meanwhile').waitFor({ state: 'detached' });
  await page.clock.setSystemTime(Date.now());
});

test('of decisions that failed, what nobody knows is not said to be unsaved', async () => {
  const { page } = setting;
  await openInboxOf(3);
  const answers = [(route: Route) => route.fulfill({ ...tooMuch, json: tooMuch.json[0] })];
  const refuse = (route: Route) => (answers.shift() ?? ((last: Route) => last.abort()))(route);
  await page.route(saving, refuse);
  const alert = page.getByRole('alert');
  await row(page, 'No 2').getByRole('button', { name: 'Approve No 2' }).click();
  await alert.getByText('A decision was not saved.').waitFor();
  await row(page, 'No 1').getByRole('button', { name: 'Approve No 1' }).click();
  await alert.getByText('2 decisions may not be saved. No answer came').waitFor();
  await page.unroute(saving, refuse);
  await alert.getByRole('button', { name: 'Try again' }).click();
  await eventually(async () => expect(await pending()).toBe(1));
});

test('axe found nothing serious on any page, and none is wider than a telephone', () => {
  expect(setting.obstacles).toEqual([]);
});

test('no page asked another host for anything, or complained of more than the answers', () => {
  const words = ['status of 401', 'status of 404', 'status of 429', 'ERR_FAILED'];
  const watch = words.reduce<Watch>((rest, text) => watchBesides(text, rest), setting.watch);
  expect(watch).toEqual({ foreign: [], complaints: [] });
});
