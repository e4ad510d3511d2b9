import { openWindow } from './browser';
import { eventually } from './eventually';
import { type apiOf, row, signUpWithSpace } from './inbox';
import { openSetting, type Setting } from './setting';
import { listens, visit } from './visit';

let setting: Setting;
let api: ReturnType<typeof apiOf>;
let spaceId: string;

beforeAll(async () => {
  setting = await openSetting();
  ({ api, spaceId } = await signUpWithSpace(setting, 'Website'));
});

afterAll(() => setting?.close());

/** As browsers are where a person wants nothing stored, and where there is no room. */
const browsers = {
  'refuses to store': () => {
    for (const name of ['localStorage', 'sessionStorage']) {
      Object.defineProperty(window, name, {
        get: () => {
          throw new DOMException('Access is denied for this document.', 'SecurityError');
        },
      });
    }
  },
  'has no room to store': () => {
    Storage.prototype.setItem = () => {
      throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
    };
  },
};

describe.each(Object.entries(browsers))('a browser that %s anything', (what, refuse) => {
  /** One that is signed in, before which nothing was stored. */
  async function openThere() {
    const { page, browser, service } = setting;
    const window = await openWindow(browser, service.url);
    await window.context.addCookies(await page.context().cookies());
    await window.context.addInitScript(refuse);
    return window;
  }

  test('has what is decided in the inbox saved, and its keys switched off', async () => {
    const submitted = await api('POST', '/testimonials', {
      space_id: spaceId,
      type: 'text',
      submitter_name: what,
      submitter_email: 'ada@example.com',
      text_content: 'It works.',
    });
    const { page, context, watch } = await openThere();
    await visit(page, '/testimonials');
    await row(page, what).getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('region', { name: 'Undo' }).waitFor();
    await page.getByRole('link', { name: 'Spaces' }).click();
    await page.waitForURL('**/spaces');
    await eventually(async () => {
      const { data } = await api('GET', `/testimonials/${submitted.data.id}`);
      expect(data.status).toBe('approved');
    });
    await visit(page, '/testimonials');
    const shortcuts = page.getByRole('checkbox', { name: 'Shortcuts are on' });
    await page.keyboard.press('?');
    await shortcuts.click();
    await eventually(async () => expect(await shortcuts.isChecked()).toBe(false));
    expect(watch).toEqual({ foreign: [], complaints: [] });
    await context.close();
  });

  test('shows a new key, with its first request in the language that is chosen', async () => {
    const { page, context, watch } = await openThere();
    await visit(page, '/api-keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Shop');
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('region', { name: 'key', exact: true }).waitFor();
    const python = page.getByRole('tab', { name: 'Python' });
    await python.click();
    await eventually(async () => expect(await python.getAttribute('aria-selected')).toBe('true'));
    expect(watch).toEqual({ foreign: [], complaints: [] });
    await context.close();
  });

  test('switches the mode, and back', async () => {
    const { page, context, watch } = await openThere();
    await visit(page, '/spaces');
    const modeSwitch = page.getByRole('switch', { name: 'Test mode' });
    for (const isOn of ['true', 'false']) {
      await modeSwitch.click();
      await eventually(async () =>
        expect(await modeSwitch.getAttribute('aria-checked')).toBe(isOn),
      );
      await listens(page);
    }
    expect(watch).toEqual({ foreign: [], complaints: [] });
    await context.close();
  });
});
