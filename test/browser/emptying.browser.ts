import type { Route } from 'playwright-core';
import { watchBesides } from './browser';
import { eventually } from './eventually';
import { hold } from './inbox';
import { openSetting, type Setting, signUp } from './setting';
import { listens, visit } from './visit';

let setting: Setting;

beforeAll(async () => {
  setting = await openSetting();
  await signUp(setting.page, 'ada@example.com');
  await listens(setting.page);
  await setting.page.getByRole('switch', { name: 'Test mode' }).click();
  await setting.page.getByRole('region', { name: 'Test mode', exact: true }).waitFor();
});

afterAll(() => setting?.close());

const empty = /testMode\.empty/;
const dialog = () => setting.page.getByRole('dialog', { name: 'Delete the test data?' });

/** With samples, the question before they are deleted. Gives its button. */
async function ask() {
  const { page } = setting;
  await visit(page, '/spaces');
  await page.getByRole('button', { name: 'Add samples' }).click();
  await page.getByText('12 samples were added to the inbox').waitFor();
  await page.getByRole('button', { name: 'Delete test data' }).click();
  await dialog().getByText('12 testimonials').waitFor();
  return dialog().getByRole('button', { name: 'Delete', exact: true });
}

test('test data is deleted to its end after a double click, and “Stop” has the focus meanwhile, and a reload asks first', async () => {
  const { page } = setting;
  const button = await ask();
  const box = await button.boundingBox();
  const more = (route: Route) =>
    route.fulfill({ json: [{ result: { data: { removed: 1, is_done: false } } }] });
  await page.route(empty, more, { times: 1 });
  const first = await hold(page, 'requests', empty);
  await page.mouse.move((box?.x ?? 0) + 5, (box?.y ?? 0) + 5);
  await page.mouse.down();
  await page.mouse.up();
  await first.isHeld();
  await eventually(async () => expect(await page.locator(':focus').textContent()).toBe('Stop'));
  const asked = page.waitForEvent('dialog');
  const reloaded = page.evaluate(() => window.location.reload());
  await (await asked).dismiss();
  await reloaded;
  // The second of two.
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
  await first.release();
  await dialog().getByText('The test data is deleted.').waitFor();
});

test('it can be gone on with where what was done was not answered, also where nothing is left', async () => {
  const { page, inspect } = setting;
  const button = await ask();
  const lose = async (route: Route) => {
    for (let isDone = false; !isDone; ) {
      const response = await route.fetch();
      isDone = (await response.text()).includes('"is_done":true');
    }
    await route.abort();
  };
  await page.route(empty, lose, { times: 1 });
  await button.click();
  await dialog().getByRole('alert').getByText('No answer came from the service').waitFor();
  await inspect('test-mode-unanswered');
  await dialog().getByRole('button', { name: 'Go on' }).click();
  await dialog().getByText('The test data is deleted.').waitFor();
});

test('nothing is serious or wide, and no page complained of more than the lost answer', () => {
  expect(setting.obstacles).toEqual([]);
  expect(watchBesides('net::ERR_', setting.watch)).toEqual({ foreign: [], complaints: [] });
});
