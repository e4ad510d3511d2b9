import type { Page } from 'playwright-core';
import { openWindow } from './browser';
import { elsewhere } from './elsewhere';
import { eventually } from './eventually';
import { apiOf, submissionOf } from './inbox';
import { type Receiver, startReceiver } from './receiver';
import { createKey, openSetting, type Setting, signUp } from './setting';
import { visit } from './visit';

let setting: Setting;
let receiver: Receiver;

beforeAll(async () => {
  setting = await openSetting();
  receiver = await startReceiver();
});

afterAll(async () => {
  await receiver?.close();
  await setting?.close();
});

type Api = ReturnType<typeof apiOf>;

/** The inbox of a new account in a window of its own. */
async function openSteps(
  email: string,
  before: (page: Page, api: Api) => Promise<void> = async () => {},
): Promise<{ page: Page; api: Api }> {
  const { page } = await openWindow(setting.browser, setting.service.url);
  await signUp(page, email);
  const api = apiOf(setting, await createKey(page, 'Website'));
  await before(page, api);
  await visit(page, '/testimonials');
  return { page, api };
}

const field = (page: Page) => page.getByRole('textbox', { name: 'URL' });
const eventTypes = ['testimonial.created'];

const urlsOf = async (api: Api): Promise<string[]> => {
  const { data } = await api('GET', '/webhook-endpoints');
  return data.map(({ url }: { url: string }) => url).sort();
};

describe('an address that was typed is of what was there meanwhile', () => {
  const other = 'http://127.0.0.1:18997/other';

  /** Another tab adds one, which this one has heard of afterwards. */
  async function addOther(page: Page): Promise<void> {
    await elsewhere(page, 'webhooks.endpoints.create', { url: other, event_types: eventTypes });
    const listed = await page.waitForResponse(/endpoints\.list\b/);
    await listed.finished();
  }

  test('a new endpoint: one that another tab adds keeps its own', async () => {
    const { page, api } = await openSteps('ann@example.com');
    await page.getByRole('button', { name: 'Receive a webhook' }).click();
    await field(page).fill(receiver.url);
    await addOther(page);
    await page.getByRole('button', { name: /send a test event/i }).click();
    await page.getByText('First webhook received').waitFor();
    expect(await urlsOf(api)).toEqual([other, receiver.url].sort());
  });

  test('the endpoint that was shown: a newer one keeps its own', async () => {
    const mine = 'http://127.0.0.1:18996/mine';
    const { page, api } = await openSteps('ben@example.com', async (tab) => {
      await elsewhere(tab, 'webhooks.endpoints.create', { url: mine, event_types: eventTypes });
    });
    await page.getByRole('button', { name: 'Receive a webhook' }).click();
    await field(page).fill(receiver.url);
    await addOther(page);
    await page.getByRole('button', { name: 'Send a test event' }).click();
    await page.getByText('First webhook received').waitFor();
    expect(await urlsOf(api)).toEqual([other, receiver.url].sort());
  });
});

test('“Approve” is of the testimonial that was shown, however many come meanwhile', async () => {
  let spaceId = '';
  const { page, api } = await openSteps('cid@example.com', async (_, of) => {
    spaceId = (await of('POST', '/spaces', { name: 'Northwind' })).data.id;
    await of('GET', '/testimonials');
  });
  const arrived = page.getByRole('figure');
  await api('POST', '/testimonials', submissionOf(spaceId, 'Ann'));
  await arrived.getByText('Ann', { exact: true }).waitFor();
  const later = (await api('POST', '/testimonials', submissionOf(spaceId, 'Ben'))).data.id;
  const isListed = async () => {
    const answer = await page.waitForResponse(/testimonials\.list\b/);
    return (await answer.text()).includes(later);
  };
  await eventually(async () => expect(await isListed()).toBe(true));
  expect(await arrived.textContent()).toContain('Ann says');
  expect(await arrived.locator('p').first().getAttribute('dir')).toBe('auto');
  await page
    .getByRole('list')
    .getByRole('button', { name: 'Approve', exact: true })
    .first()
    .click();
  await page.getByText('First testimonial decided').waitFor();
  const { data } = await api('GET', '/testimonials?status=approved');
  expect(data).toEqual([expect.objectContaining({ submitter_name: 'Ann' })]);
});

test('no space is made where it is not known whether there is one', async () => {
  const { page } = await openWindow(setting.browser, setting.service.url);
  await signUp(page, 'dan@example.com');
  await elsewhere(page, 'spaces.create', { name: 'Northwind' });
  const pattern = /spaces\.list\b/;
  await page.route(pattern, (route) => route.abort());
  await page.getByRole('button', { name: 'Create key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await dialog.getByRole('button', { name: 'Send and approve a testimonial' }).click();
  await dialog.getByRole('alert').waitFor();
  const make = dialog.getByRole('button', { name: 'Make a space' });
  expect((await make.count()) > 0 && (await make.isEnabled())).toBe(false);
  await page.unroute(pattern);
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await dialog.getByText('This sends a testimonial to “Northwind”.').waitFor();
});
