import { eventually } from './eventually';
import { descriptionOf, hears, listen } from './heard';
import { hold } from './inbox';
import { openSetting, password, type Setting, signUp } from './setting';
import { visit } from './visit';

let setting: Setting;

/** So many that their list is longer than the window. */
const otherBrowsers = 12;

beforeAll(async () => {
  setting = await openSetting();
  const { browser, page, service } = setting;
  const email = 'ada@example.com';
  await signUp(page, email);
  for (let count = 0; count < otherBrowsers; count += 1) {
    const other = await browser.newContext({ baseURL: service.url });
    await other.request.post('/api/auth/sign-in/email', { data: { email, password } });
    await other.close();
  }
  await listen(page);
  // The clock of the page stands, so that they were seen just now for as long as this takes.
  await page.clock.setFixedTime(Date.now());
  await visit(page, '/account');
});

afterAll(() => setting?.close());

const browsers = () =>
  setting.page.getByRole('listitem').filter({ has: setting.page.getByText(/seen/i) });

const failure = 'No answer came from the service';

test('why a browser could not be signed out is told where its button is', async () => {
  const { page, inspect } = setting;
  await page.route(/sessions\.end\b/, (route) => route.abort());
  await page.setViewportSize({ width: 320, height: 568 });
  await browsers().nth(2).getByRole('button').click();
  await browsers().nth(2).getByRole('alert').getByText(failure).waitFor();
  await inspect('account-session-failed');
  await page.setViewportSize({ width: 1280, height: 800 });
});

test('that is told too where another was to be signed out meanwhile, and went well', async () => {
  const { page } = setting;
  await page.unroute(/sessions\.end\b/);
  const before = await browsers().count();
  const ending = await hold(page, 'requests', /sessions\.end\b/, 1);
  await browsers().nth(2).getByRole('button').click();
  await ending.isHeld();
  await browsers().nth(5).getByRole('button').click();
  await eventually(async () => expect(await browsers().count()).toBe(before - 1));
  expect(await browsers().nth(2).getByRole('button').getAttribute('aria-busy')).toBe('true');
  await page.context().setOffline(true);
  await ending.release();
  await browsers().nth(2).getByRole('alert').getByText(failure).waitFor();
  await page.context().setOffline(false);
  await page.route(/sessions\.end\b/, (route) => route.abort());
});

test('a button says which browser of one name it signs out, and what came of it is read out', async () => {
  const { page } = setting;
  await page.unroute(/sessions\.end\b/);
  const button = browsers().nth(3).getByRole('button');
  const name = (await button.getAttribute('aria-label'))?.replace('Sign out ', '');
  expect(await descriptionOf(page, button)).toMatch(/^From \S+, seen just now$|^Seen just now$/);
  const before = await browsers().count();
  await button.click();
  await hears(page, `${name} is signed out`);
  // It is said before the list has come without that one, whose button does nothing any more.
  await eventually(async () => expect(await browsers().count()).toBe(before - 1));
  await browsers().nth(3).getByRole('button').click();
  await hears(page, `${name} is signed out`);
  await page.route(/sessions\.end\b/, (route) => route.abort());
});

test('that is told no more once all others are signed out', async () => {
  const { page } = setting;
  await browsers().nth(2).getByRole('button').click();
  await browsers().nth(2).getByRole('alert').getByText(failure).waitFor();
  await page.getByRole('button', { name: 'Sign out all others' }).click();
  await eventually(async () => expect(await browsers().count()).toBe(1));
  expect(await page.getByText(failure).count()).toBe(0);
  await hears(page, 'All others are signed out');
});

test('axe found nothing serious on any page, and none is wider than a telephone', () => {
  expect(setting.obstacles).toEqual([]);
});
