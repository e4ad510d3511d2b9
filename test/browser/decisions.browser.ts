import type { Page, Route } from 'playwright-core';
import { watchBesides } from './browser';
import { eventually } from './eventually';
import { type apiOf, row, signUpWithSpace } from './inbox';
import { openSetting, type Setting, signInAgain } from './setting';
import { visit, visitAgain } from './visit';

let setting: Setting;
let api: ReturnType<typeof apiOf>;
let spaceId: string;

beforeAll(async () => {
  setting = await openSetting();
  ({ api, spaceId } = await signUpWithSpace(setting, 'Website'));
});

afterAll(() => setting?.close());

const sending = /testimonials\.updateBatch/;
const abort = (route: Route) => route.abort();

async function submit(name: string): Promise<string> {
  const { data } = await api('POST', '/testimonials', {
    space_id: spaceId,
    type: 'text',
    submitter_name: name,
    submitter_email: 'someone@northwind.example',
    text_content: 'It works.',
  });
  return data.id;
}

const statusOf = async (id: string) => (await api('GET', `/testimonials/${id}`)).data.status;

const becomes = (id: string, status: string) =>
  eventually(async () => expect(await statusOf(id)).toBe(status));

async function approve(page: Page, name: string): Promise<void> {
  await row(page, name)
    .getByRole('button', { name: `Approve ${name}` })
    .click();
  await row(page, name).waitFor({ state: 'detached' });
}

describe('where the session is over', () => {
  const question = () => setting.page.getByRole('dialog', { name: 'Sign in again' });

  test('a decision asks for a sign-in when it is sent, and is sent again after it', async () => {
    const { page, inspect } = setting;
    const id = await submit('Ada');
    await visit(page, '/testimonials');
    // Kept from asking for anything else, which would find out as well.
    await page.route(/testimonials\.list/, abort);
    await page.context().clearCookies();
    await approve(page, 'Ada');
    await question().waitFor();
    await inspect('decision-session-over');
    expect(await statusOf(id)).toBe('pending');
    await page.unroute(/testimonials\.list/, abort);
    await signInAgain(page);
    await becomes(id, 'approved');
    await row(page, 'Ada').waitFor({ state: 'detached' });
    await eventually(async () =>
      expect(await page.getByText('A decision was not saved').count()).toBe(0),
    );
  });

  test('so is one that was sent as its page was left for another of the dashboard', async () => {
    const { page } = setting;
    const id = await submit('Bea');
    await visit(page, '/testimonials');
    await approve(page, 'Bea');
    await page.route(/testimonials\.updateBatch/, async (route) => {
      await page.context().clearCookies();
      await route.continue({ headers: { ...route.request().headers(), cookie: '' } });
    });
    await page.getByRole('link', { name: 'Spaces' }).click();
    await question().waitFor();
    await page.unroute(/testimonials\.updateBatch/);
    await signInAgain(page);
    await becomes(id, 'approved');
    expect(new URL(page.url()).pathname).toBe('/spaces');
  });

  test('what is done with a selection asks for it too, and can be done afterwards', async () => {
    const { page } = setting;
    const id = await submit('Cid');
    await visit(page, '/testimonials');
    await page.getByLabel('Select Cid', { exact: true }).check();
    await page.getByRole('region', { name: 'Selection' }).getByText('Delete…').click();
    const run = page.getByRole('dialog', { name: /^Delete the testimonial of/ });
    await page.route(/testimonials\.list/, abort);
    await page.context().clearCookies();
    await run.getByRole('button', { name: 'Delete', exact: true }).click();
    await question().waitFor();
    await page.unroute(/testimonials\.list/, abort);
    await signInAgain(page);
    await run.getByRole('button', { name: 'Try these again' }).click();
    await run.getByText('1 of 1 testimonial deleted').waitFor();
    await run.getByRole('button', { name: 'Close' }).last().click();
    await eventually(async () =>
      expect((await api('GET', `/testimonials/${id}`)).error.code).toBe('TESTIMONIAL_NOT_FOUND'),
    );
  });
});

describe('a page that is loaded anew before a decision was sent', () => {
  test('is sent it once, and does not show what was decided', async () => {
    const { page } = setting;
    const bodies: (string | null)[] = [];
    page.on('request', (request) => {
      if (sending.test(request.url())) bodies.push(request.postData());
    });
    for (const name of ['Dan', 'Eva', 'Flo']) {
      const id = await submit(name);
      await visit(page, '/testimonials');
      await approve(page, name);
      await visitAgain(page);
      await row(page, name).waitFor({ state: 'detached' });
      await becomes(id, 'approved');
      expect(bodies.filter((body) => body?.includes(id))).toHaveLength(1);
    }
  });

  test('looks again where it was rendered before that was saved', async () => {
    const { page, inspect } = setting;
    const id = await submit('Gus');
    let before: Awaited<ReturnType<Route['fetch']>> | undefined;
    const render = async (route: Route) => {
      before ??= await route.fetch();
      await route.fulfill({ response: before });
    };
    await page.route('**/testimonials', render);
    await visit(page, '/testimonials');
    await approve(page, 'Gus');
    await page.reload();
    await row(page, 'Gus').waitFor({ state: 'detached' });
    await becomes(id, 'approved');
    await page.unroute('**/testimonials', render);
    await inspect('decision-reloaded');
  });

  test('says where that was not saved, and can send it again', async () => {
    const { page, inspect } = setting;
    const id = await submit('Hal');
    await visit(page, '/testimonials');
    await approve(page, 'Hal');
    await page.route(sending, abort);
    await page.reload();
    await page.getByRole('alert').getByText('A decision was not saved').waitFor();
    await row(page, 'Hal').waitFor();
    await inspect('decision-lost');
    await page.unroute(sending, abort);
    await page.getByRole('button', { name: 'Try again' }).click();
    await row(page, 'Hal').waitFor({ state: 'detached' });
    await becomes(id, 'approved');
    // What is answered is not looked for by the page after it.
    await visitAgain(page);
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
  });
});

test('what could not be sent as the inbox was left is said when one is back, in any view', async () => {
  const { page } = setting;
  for (const view of ['', '?status=approved']) {
    const name = `Ivo ${view}`;
    const id = await submit(name);
    await visit(page, '/testimonials');
    await approve(page, name);
    await page.route(sending, abort);
    const failed = page.waitForEvent('requestfailed', (request) => sending.test(request.url()));
    await page.getByRole('link', { name: 'Spaces' }).click();
    await page.waitForURL('**/spaces');
    await failed;
    await visitAgain(page);
    await page.unroute(sending, abort);
    await visit(page, `/testimonials${view}`);
    await page.getByRole('alert').getByText('A decision was not saved').waitFor();
    expect(await statusOf(id)).toBe('pending');
    await page.getByRole('button', { name: 'Try again' }).click();
    await becomes(id, 'approved');
  }
  const kept = () => page.evaluate(() => sessionStorage.length);
  // The service may be done before the page has its answer.
  await eventually(async () => expect(await kept()).toBe(0));
  await visitAgain(page);
  expect(await kept()).toBe(0);
});

test('axe found nothing serious on any page, and none is wider than a telephone', () => {
  expect(setting.obstacles).toEqual([]);
});

test('no page asked another host for anything, or complained', () => {
  // The browser's own words for what the tests cut off, and for what a session that is over is refused.
  const { foreign, complaints } = watchBesides('ERR_FAILED', setting.watch);
  const others = complaints.filter((text) => !text.includes('401'));
  expect({ foreign, others }).toEqual({ foreign: [], others: [] });
});
