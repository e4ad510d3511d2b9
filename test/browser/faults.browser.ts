import type { Page, Route } from 'playwright-core';
import { maxPictureBytes } from '@/src/storage/limits';
import { uploadLimits } from '@/src/storage/upload';
import { openWindow, type Watch, watchBesides } from './browser';
import { eventually } from './eventually';
import { openSetting, password, type Setting, sendCredentials, signUp } from './setting';
import { visit } from './visit';

let setting: Setting;
const complaints: Watch['complaints'] = [];

beforeAll(async () => {
  setting = await openSetting();
  await signUp(setting.page, 'ada@example.com');
});

afterAll(() => setting?.close());

/** What a browser says of an answer that is none. */
const refusals = 'the server responded with a status of';

const html = { contentType: 'text/html', body: '<h1>Not what was asked for</h1>' };

/** A window of somebody who is not signed in. */
async function withStranger(run: (page: Page) => Promise<void>): Promise<void> {
  const { context, page, watch } = await openWindow(setting.browser, setting.service.url);
  await run(page);
  complaints.push(...watchBesides(refusals, watch).complaints);
  await context.close();
}

/** Has calls of the page as it is wait for an answer for a moment only. Returns what ends that. */
async function withShortLimits(page: Page): Promise<() => Promise<void>> {
  const real = await page.evaluateHandle(() => {
    const { timeout } = AbortSignal;
    AbortSignal.timeout = () => timeout.call(AbortSignal, 200);
    return timeout;
  });
  return () =>
    page.evaluate((timeout) => {
      AbortSignal.timeout = timeout;
    }, real);
}

/** Answers none of these requests until its end, which tells how many there were. */
async function neverAnswered(page: Page, what: RegExp) {
  let asked = 0;
  const keep = () => {
    asked += 1;
  };
  await page.route(what, keep);
  return {
    async end() {
      await page.unroute(what, keep);
      return asked;
    },
  };
}

test.each([
  { of: 'a page', answer: html },
  { of: 'half of an answer', answer: { contentType: 'application/json', body: '{"us' } },
  { of: 'nothing', answer: { status: 204 } },
])('a password is not said to be changed where $of comes with success', async ({ answer }) => {
  const { page } = setting;
  const instead = (route: Route) => route.fulfill(answer);
  await page.route('**/api/auth/change-password', instead);
  await visit(page, '/account');
  await page.getByLabel('Current password').fill(password);
  await page.getByLabel('New password').fill('another battery staple');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByRole('alert').getByText('No answer came from the service').waitFor();
  expect(await page.getByText('The password is changed.').count()).toBe(0);
  expect(await page.getByLabel('Current password').inputValue()).toBe(password);
  await page.unroute('**/api/auth/change-password', instead);
});

test.each([
  { status: 413, words: 'That is more than can be sent at once.' },
  { status: 403, words: 'This was refused on its way to the service (403).' },
  { status: 503, words: 'The service cannot answer just now. Try again in 42 seconds.' },
  { status: 504, words: 'the password may be changed already' },
])('a form of the account says what refused it with $status', async ({ status, words }) => {
  const { page } = setting;
  const instead = (route: Route) =>
    route.fulfill({ ...html, status, headers: { 'Retry-After': '42' } });
  await page.route('**/api/auth/change-password', instead);
  await visit(page, '/account');
  await page.getByLabel('Current password').fill(password);
  await page.getByLabel('New password').fill('another battery staple');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByRole('alert').getByText(words).waitFor();
  expect(await page.getByLabel('New password').inputValue()).toBe('another battery staple');
  await page.unroute('**/api/auth/change-password', instead);
});

test.each([
  { path: '/reset-password', ready: 'Set password', focused: 'password' },
  { path: '/confirm-email', ready: 'Confirm this address', focused: 'Confirm this address' },
])(
  'a link of $path that could not be checked is checked again where it is',
  ({ path, ready, focused }) =>
    withStranger(async (page) => {
      const answers = [{ status: 503, ...html }, { status: 502, ...html }, { json: {} }];
      await page.route('**/api/auth/check-link', (route) => route.fulfill(answers.shift()));
      await visit(page, `${path}#token`);
      for (const left of [1, 0]) {
        await page.getByRole('alert').getByText('The service cannot answer just now.').waitFor();
        await page.getByRole('button', { name: 'Try again' }).focus();
        await page.keyboard.press('Enter');
        await eventually(async () => expect(answers).toHaveLength(left));
      }
      await page.getByRole('button', { name: ready }).waitFor();
      const focus = page.locator(':focus');
      await eventually(async () => {
        const name = (await focus.getAttribute('name')) ?? (await focus.textContent());
        expect(name).toBe(focused);
      });
      expect(await page.getByText('The service cannot answer just now.').count()).toBe(0);
    }),
);

test('a sign-in that nobody answers ends, and can be sent again', () =>
  withStranger(async (page) => {
    await visit(page, '/sign-in');
    const unanswered = await neverAnswered(page, /sign-in\/email/);
    const withRealLimits = await withShortLimits(page);
    await sendCredentials(page, 'Sign in', 'ada@example.com');
    await page.getByRole('alert').getByText('The service could not be reached.').waitFor();
    expect(await page.getByLabel('E-mail').inputValue()).toBe('ada@example.com');
    expect(await unanswered.end()).toBe(1);
    await withRealLimits();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/api-keys');
  }));

test('an account that may be made is said to be so, and where to go then', () =>
  withStranger(async (page) => {
    await visit(page, '/sign-up');
    const lose = async (route: Route) => {
      await route.fetch();
      await route.fulfill({ status: 504, ...html });
    };
    await page.route(/sign-up\/email/, lose, { times: 1 });
    await sendCredentials(page, 'Create account', 'bea@example.com');
    await page.getByRole('alert').getByText('the account may be made already').waitFor();
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('alert').getByRole('link', { name: 'Sign in instead' }).waitFor();
  }));

test.each([
  { status: 429, words: 'That was a lot at once. Try again in 42 seconds.' },
  { status: 503, words: 'The service cannot answer just now. Try again in 42 seconds.' },
])('a page says when to try again after $status, and keeps what was typed', async (refused) => {
  const { page } = setting;
  const { status, words } = refused;
  const instead = (route: Route) =>
    route.fulfill({ status, ...html, headers: { 'Retry-After': '42' } });
  await visit(page, '/spaces');
  await page.route(/spaces\.create/, instead);
  await page.getByRole('button', { name: 'Create space' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(`After ${status}`);
  await dialog.getByRole('button', { name: 'Create space' }).click();
  await dialog.getByRole('alert').getByText(words, { exact: true }).waitFor();
  await page.unroute(/spaces\.create/, instead);
  await dialog.getByRole('button', { name: 'Create space' }).click();
  await page.getByRole('button', { name: `Actions for After ${status}` }).waitFor();
});

test('what is read and not answered in time is not waited for again until somebody asks', async () => {
  const { page } = setting;
  await visit(page, '/spaces');
  await page.getByRole('button', { name: 'Create space' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Northwind');
  await page.getByRole('dialog').getByRole('button', { name: 'Create space' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const unanswered = await neverAnswered(page, /testimonials\.list/);
  const withRealLimits = await withShortLimits(page);
  await page.getByRole('button', { name: 'Actions for Northwind' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('alert').getByText('The service could not be reached.').waitFor();
  expect(await unanswered.end()).toBe(1);
  await withRealLimits();
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await dialog.getByText('There are no testimonials in it.').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
});

test('a picture has the time to arrive that the service gives it', async () => {
  const { page } = setting;
  const slowest = maxPictureBytes / uploadLimits.rate.bytesPerSecond;
  await visit(page, '/spaces');
  await page.evaluate(() => {
    const { timeout } = AbortSignal;
    let longest = 0;
    AbortSignal.timeout = (ms) => {
      // What is shown is read anew after a failure.
      longest = Math.max(longest, ms);
      document.title = `at most ${longest}`;
      return timeout.call(AbortSignal, ms);
    };
  });
  await page.route(/uploads\.logo/, (route) => route.fulfill({ status: 503, ...html }));
  await page.getByRole('button', { name: 'Create space' }).click();
  const dialog = page.getByRole('dialog');
  await dialog
    .getByLabel('Logo', { exact: true })
    .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.alloc(maxPictureBytes) });
  await dialog.getByRole('alert').waitFor();
  const limitMs = Number((await page.title()).replace('at most ', ''));
  expect(limitMs).toBeGreaterThan(slowest * 1000);
});

test('no page asked another host for anything, or complained of more than the answers', () => {
  const { foreign, complaints: own } = watchBesides(refusals, setting.watch);
  expect({ foreign, complaints: [...complaints, ...own] }).toEqual({ foreign: [], complaints: [] });
});
