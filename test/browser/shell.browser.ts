import type { Page, Route } from 'playwright-core';
import { openWindow, takeScreenshot, watchBesides } from './browser';
import { overflowsSideways } from './checks';
import { eventually, hasFocus } from './eventually';
import { type apiOf, hold, row, signUpWithSpace } from './inbox';
import { nowhere } from './receiver';
import { createKey, openSetting, type Setting, signInAgain, signUp } from './setting';
import { listens, visit } from './visit';

let setting: Setting;
let api: ReturnType<typeof apiOf>;
let spaceId: string;

beforeAll(async () => {
  setting = await openSetting();
  ({ api, spaceId } = await signUpWithSpace(setting, 'Website'));
});

afterAll(() => setting?.close());

const dialog = () => setting.page.getByRole('dialog');
const abort = (route: Route) => route.abort();

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
}

describe('what is no answer of a procedure is told by its status', () => {
  test.each([
    { status: 413, type: 'text/html', words: 'more than can be sent at once' },
    { status: 429, type: 'text/html', words: 'Wait a while' },
    { status: 502, type: 'text/html', words: 'The service cannot answer just now' },
    { status: 403, type: 'text/html', words: 'refused on its way to the service (403)' },
    { status: 413, type: 'application/json', words: 'more than can be sent at once' },
  ])('$status, $type', async ({ status, type, words }) => {
    const { page } = setting;
    await visit(setting.page, '/spaces');
    const body = type === 'text/html' ? '<h1>No</h1>' : '{"error":{"code":"NO","message":"No"}}';
    await page.route(/spaces\.create/, (route) =>
      route.fulfill({ status, contentType: type, body }),
    );
    await page.getByRole('button', { name: 'Create space' }).click();
    await dialog().getByLabel('Name').fill('Fabrikam');
    await dialog().getByRole('button', { name: 'Create space' }).click();
    await dialog().getByRole('alert').getByText(words).waitFor();
    await page.unroute(/spaces\.create/);
  });
});

test('older deliveries that do not come are said not to, and can be asked for again', async () => {
  const { page, inspect } = setting;
  const made = await api('POST', '/webhook-endpoints', {
    url: nowhere,
    event_types: ['testimonial.created'],
  });
  for (let count = 0; count < 26; count += 1) {
    await api('POST', `/webhook-endpoints/${made.data.id}/test`);
  }
  await visit(setting.page, `/webhooks/${made.data.id}`);
  const isOlder = (url: URL) =>
    url.search.includes('cursor') && url.pathname.includes('deliveries');
  await page.route(isOlder, abort);
  await page.getByRole('button', { name: 'Show older' }).click();
  const said = page.getByRole('alert').getByText('could not be reached');
  await said.waitFor();
  await inspect('webhook-older-failed');
  await page.unroute(isOlder, abort);
  await page
    .getByRole('button', { name: 'Try again' })
    .or(page.getByRole('button', { name: 'Show older' }))
    .click();
  await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 26);
});

describe('who signs out', () => {
  test('is told that it is under way, and where it fails', async () => {
    const { page, inspect } = setting;
    await visit(setting.page, '/spaces');
    const held = await hold(page, 'requests', /\/api\/auth\/sign-out/);
    await signOut(page);
    await held.isHeld();
    await page.locator('[aria-live]').getByText('Signing out…').waitFor();
    await inspect('signing-out');
    await page.context().setOffline(true);
    await held.release();
    await page.getByRole('alert').getByText('could not be reached').waitFor();
    await page.context().setOffline(false);
    await inspect('sign-out-failed');
    expect(new URL(page.url()).pathname).toBe('/spaces');
  });

  test('or switches the mode, stays where a decision cannot be saved, and reads so', async () => {
    const { page, inspect } = setting;
    const { data } = await api('POST', '/testimonials', {
      space_id: spaceId,
      type: 'text',
      submitter_name: 'Ada Park',
      submitter_email: 'ada@northwind.example',
      text_content: 'Calm.',
    });
    const status = async () => (await api('GET', `/testimonials/${data.id}`)).data.status;
    await visit(setting.page, '/testimonials');
    await page.route(/testimonials.updateBatch/, abort);
    await row(page, 'Ada Park').getByRole('button', { name: 'Approve Ada Park' }).click();
    await signOut(page);
    const said = page.getByRole('alert').getByText('A decision in the inbox is not saved.');
    await said.waitFor();
    await inspect('sign-out-unsaved');
    await page.getByRole('switch', { name: 'Test mode' }).click();
    await eventually(async () => expect(await said.count()).toBe(2));
    expect([new URL(page.url()).pathname, await status()]).toEqual(['/testimonials', 'pending']);
    await page.unroute(/testimonials.updateBatch/, abort);
    await page.getByRole('button', { name: 'Try again' }).click();
    await eventually(async () => expect(await status()).toBe('approved'));
    await signOut(page);
    await page.waitForURL('**/sign-in');
  });
});

test('a sign-in over a dialog gives the focus back into the dialog', async () => {
  const { browser, service } = setting;
  const { page, context } = await openWindow(browser, service.url);
  await signUp(page, 'bob@example.com');
  await createKey(page, 'Website');
  for (const isByEnter of [true, false]) {
    await page.getByRole('button', { name: 'Actions for Website' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    const name = page.getByLabel('Name', { exact: true });
    await name.fill('Shop');
    await context.clearCookies();
    if (isByEnter) await name.press('Enter');
    else await page.getByRole('button', { name: 'Save' }).click();
    await signInAgain(page);
    await eventually(async () =>
      expect(
        await page
          .getByRole('dialog')
          .locator(':focus')
          .or(page.locator('[role=dialog]:focus'))
          .count(),
      ).toBe(1),
    );
    await page.getByRole('button', { name: 'Cancel' }).click();
  }
  await context.close();
});

test('the focus stays with the button that was pressed, or goes to what is left where it was', async () => {
  const { browser, service } = setting;
  const { page, context } = await openWindow(browser, service.url);
  const focused = (selector: string) =>
    eventually(async () => expect(await page.locator(`${selector}:focus`).count()).toBe(1));
  const choose = async (name: string, action: string) => {
    await page.getByRole('button', { name: `Actions for ${name}` }).click();
    await page.getByRole('menuitem', { name: action }).click();
    await page.getByRole('dialog').waitFor();
  };
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  await signUp(page, 'kim@example.com');
  await createKey(page, 'Website');
  await choose('Website', 'Switch off');
  await press('Switch off');
  await press('Switch on again');
  await focused('[aria-label="Actions for Website"]');
  await choose('Website', 'Edit');
  await page.route(/apiKeys\.update/, abort);
  await page.getByLabel('Name', { exact: true }).fill('Shop');
  await press('Save');
  await page.getByRole('dialog').getByRole('alert').waitFor();
  await focused('[role=dialog] [type=submit]');
  await press('Cancel');
  await choose('Website', 'Delete');
  await press('Delete key');
  await page.getByRole('heading', { name: 'Create your first key' }).waitFor();
  await focused('#content');
  await visit(page, '/webhooks');
  await press('Add endpoint');
  await page.getByLabel('URL').fill(nowhere);
  await page.getByRole('dialog').getByRole('button', { name: 'Add endpoint' }).click();
  await press('Done');
  await page.getByRole('link', { name: nowhere }).click();
  await choose('this endpoint', 'Pause');
  await press('Pause endpoint');
  await press('Resume');
  await focused('[aria-label="Actions for this endpoint"]');
  await choose('this endpoint', 'Delete');
  await press('Delete endpoint');
  await page.getByRole('heading', { name: 'Add your first endpoint' }).waitFor();
  await focused('#content');
  await context.close();
});

test('no page is wider than a window of 320 px', async () => {
  const { browser, service } = setting;
  const { page, context } = await openWindow(browser, service.url);
  await page.setViewportSize({ width: 320, height: 700 });
  await signUp(page, 'eve@example.com');
  const wide: string[] = [];
  for (const path of ['/api-keys', '/account', '/spaces', '/webhooks', '/docs']) {
    await visit(page, path);
    await takeScreenshot(page, `narrowest${path.replaceAll('/', '-')}`);
    if (await overflowsSideways(page)) wide.push(path);
  }
  expect(wide).toEqual([]);
  await context.close();
});

test('in the narrow navigation a link that has the focus is seen whole', async () => {
  const { browser, service } = setting;
  const { page, context } = await openWindow(browser, service.url);
  await page.setViewportSize({ width: 320, height: 700 });
  await signUp(page, 'finn@example.com');
  await listens(page);
  const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
  await page.getByRole('link', { name: 'Skip to the content' }).focus();
  await page.keyboard.press('Tab');
  const all = await links.all();
  expect(all.length).toBeGreaterThan(4);
  for (const link of all) {
    await page.keyboard.press('Tab');
    await hasFocus(link);
    await eventually(async () => {
      const { x = -1, width = 0 } = (await link.boundingBox()) ?? {};
      expect({ isCut: x < 0 || x + width > 320 }).toEqual({ isCut: false });
    });
  }
  await context.close();
});

test('what browsers ask for by themselves is the icon', async () => {
  const answer = await setting.page.request.get('/favicon.ico');
  expect([answer.status(), answer.headers()['content-type']]).toEqual([200, 'image/svg+xml']);
});

test('axe found nothing serious on any page, and none is wider than a telephone', () => {
  expect(setting.obstacles).toEqual([]);
});

test('no page asked another host for anything, or complained', () => {
  const besides = watchBesides('Failed to load resource', setting.watch);
  expect(besides).toEqual({ foreign: [], complaints: [] });
});
