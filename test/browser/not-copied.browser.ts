import type { Locator, Page } from 'playwright-core';
import { eventually } from './eventually';
import { heard, hears, listen } from './heard';
import { signUpWithSpace } from './inbox';
import { nowhere } from './receiver';
import { createEndpoint, openSetting, type Setting } from './setting';
import { visit } from './visit';

let setting: Setting;
let api: Awaited<ReturnType<typeof signUpWithSpace>>['api'];
let spaceId: string;

beforeAll(async () => {
  setting = await openSetting();
  ({ api, spaceId } = await signUpWithSpace(setting, 'Website'));
  await api('POST', '/testimonials', {
    space_id: spaceId,
    type: 'text',
    submitter_name: 'Noor',
    submitter_email: 'noor@example.com',
    text_content: 'Very good.',
  });
});

afterAll(() => setting?.close());

const dialog = () => setting.page.getByRole('dialog');

/** As a browser does that was told to, or a page that is not on https. */
const refuseCopying = (page: Page) =>
  page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'));
    document.execCommand = () => false;
  });

async function open(path: string): Promise<Page> {
  const { page } = setting;
  await visit(page, path);
  await refuseCopying(page);
  return page;
}

const words = 'Not copied. Select and copy it by hand.';

/** That what was to be copied is said not to be, is there to be seen, and marked, so that a key copies it. */
async function isLeftMarked(place: Page | Locator, part: string): Promise<void> {
  await place.locator('[aria-live]').getByText(words).waitFor();
  await place.getByRole('region', { name: 'what was not copied' }).getByText(part).waitFor();
  await eventually(async () => expect(await marked()).toContain(part));
}

const marked = () => setting.page.evaluate(() => String(window.getSelection()));

test('a key that the browser does not copy is said to be not copied, and marked', async () => {
  const { inspect } = setting;
  const page = await open('/api-keys');
  await page.getByRole('button', { name: 'Create key' }).click();
  await dialog().getByLabel('Name', { exact: true }).fill('Not copied');
  await dialog().getByRole('button', { name: 'Create key' }).click();
  const button = dialog().getByRole('button', { name: 'Copy key' });
  await button.click();
  const said = dialog().locator('[aria-live]').getByText(words);
  await said.waitFor();
  await eventually(async () => expect((await said.boundingBox())?.width).toBeGreaterThan(50));
  const key = await dialog().getByRole('region', { name: 'key', exact: true }).textContent();
  await eventually(async () => expect(await marked()).toBe(key));
  expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
  await inspect('api-keys-not-copied');
  await dialog().getByRole('button', { name: 'Done' }).click();
});

test('a request that the browser does not copy is shown, and marked', async () => {
  const { inspect } = setting;
  const page = await open('/testimonials');
  await page.getByRole('button', { name: 'Open Noor' }).click();
  await dialog().getByRole('button', { name: 'Copy as API request' }).click();
  await page.getByRole('menuitem', { name: 'Approve' }).click();
  await isLeftMarked(dialog(), '"status":"approved"');
  await inspect('testimonial-not-copied');
  await dialog().getByRole('button', { name: 'Copy as API request' }).click();
  await page.getByRole('menuitem', { name: 'Reject' }).click();
  await isLeftMarked(dialog(), '"status":"rejected"');
  await dialog().getByRole('button', { name: 'Cancel' }).click();
  await dialog().waitFor({ state: 'detached' });
  await page.getByLabel('Select Noor', { exact: true }).check();
  await page.getByRole('button', { name: 'Delete…' }).click();
  await dialog().getByRole('button', { name: 'Copy as API request' }).click();
  await isLeftMarked(dialog(), 'DELETE');
  await inspect('batch-not-copied');
  await dialog().getByRole('button', { name: 'Cancel' }).click();
});

test('a delivery that the browser does not copy is shown, and marked', async () => {
  const { inspect } = setting;
  const url = `${nowhere}receiver`;
  const path = await createEndpoint(setting.page, url);
  await api('POST', `/webhook-endpoints/${path.split('/').at(-1)}/test`);
  const page = await open(path);
  await page.getByRole('button', { name: /^testimonial.created/ }).click();
  await dialog().getByRole('button', { name: 'Copy as curl' }).click();
  await isLeftMarked(dialog(), `curl -i '${url}'`);
  await inspect('delivery-not-copied');
});

test('of an ID that the browser does not copy all is shown', async () => {
  const { inspect } = setting;
  const page = await open('/spaces');
  const button = page.getByRole('button', { name: 'Copy the ID of Northwind' });
  expect(await page.getByText(spaceId).count()).toBe(0);
  await button.click();
  await page.getByRole('cell').getByText(spaceId).waitFor();
  await page.locator('[aria-live]').getByText(words).waitFor();
  await inspect('spaces-not-copied');
});

describe('that it was copied is said once, while the name of the button that has the focus stays', () => {
  async function isSaidOnce(name: string, goOn?: () => Promise<void>) {
    const { page } = setting;
    await heard(page);
    const button = dialog().getByRole('button', { name, exact: true });
    // It says so for two seconds, in which a slow machine may not look.
    const shown = await button.evaluateHandle((element) => {
      const texts: { text: string; name: string }[] = [];
      new MutationObserver(() => {
        const named = element.cloneNode(true);
        if (!(named instanceof Element)) return;
        for (const hidden of named.querySelectorAll('[aria-hidden=true]')) hidden.remove();
        texts.push({ text: element.textContent ?? '', name: named.textContent ?? '' });
      }).observe(element, { subtree: true, childList: true, characterData: true });
      return texts;
    });
    await button.click();
    await goOn?.();
    await hears(page, 'Copied');
    await eventually(async () => {
      const texts = (await shown.jsonValue()).map(({ text }) => text);
      expect(texts.join()).toContain('Copied');
    });
    await button.getByText('Copied').waitFor({ state: 'detached' });
    const names = (await shown.jsonValue()).map((seen) => seen.name);
    expect([...new Set(names)]).toEqual([name]);
    expect(await heard(page)).toEqual([]);
  }

  test('of a testimonial, and of several', async () => {
    const { page } = setting;
    await listen(page);
    await visit(page, '/testimonials');
    await page.getByRole('button', { name: 'Open Noor' }).click();
    await isSaidOnce('Copy as API request', () =>
      page.getByRole('menuitem', { name: 'Approve' }).click(),
    );
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await dialog().waitFor({ state: 'detached' });
    await page.getByLabel('Select Noor', { exact: true }).check();
    await page.getByRole('button', { name: 'Delete…' }).click();
    await isSaidOnce('Copy as API request');
  });

  test('of a delivery', async () => {
    const { page } = setting;
    await visit(page, '/webhooks');
    await page.getByRole('link', { name: `${nowhere}receiver` }).click();
    await page.getByRole('button', { name: /^testimonial.created/ }).click();
    await isSaidOnce('Copy as curl');
  });
});

test('axe found nothing serious on any page, and none is wider than a telephone', () => {
  expect(setting.obstacles).toEqual([]);
});
