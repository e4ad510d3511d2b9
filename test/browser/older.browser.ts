import { createKey, openSetting, type Setting, signUp } from './setting';
import { visit } from './visit';

let setting: Setting;

beforeAll(async () => {
  setting = await openSetting();
  // What Safari has since 17.4 or later, or not at all, and the pages or their packages may use.
  await setting.page.addInitScript(() => {
    Reflect.deleteProperty(AbortSignal, 'any');
    Reflect.deleteProperty(Promise, 'withResolvers');
    Reflect.deleteProperty(Object, 'groupBy');
    Reflect.deleteProperty(window, 'requestIdleCallback');
    Reflect.deleteProperty(window, 'onscrollend');
    Reflect.deleteProperty(URL, 'parse');
  });
  await signUp(setting.page, 'ada@example.com');
});

afterAll(() => setting?.close());

test('the pages and the reference send and read in a browser of 2023', async () => {
  const { page, watch } = setting;
  const key = await createKey(page, 'Website');
  await visit(page, '/docs');
  await page.getByLabel('API key', { exact: true }).fill(key);
  await page.getByRole('button', { name: 'Try it' }).first().click();
  await page.getByRole('button', { name: 'Send' }).first().click();
  await page.getByText('200 OK').waitFor();
  expect(watch).toEqual({ foreign: [], complaints: [] });
});
