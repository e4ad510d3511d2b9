import type { Locator, Page, Request } from 'playwright-core';
import { watchBesides } from './browser';
import { eventually } from './eventually';
import { type apiOf, row, signUpWithSpace } from './inbox';
import { openSetting, type Setting } from './setting';
import { visit } from './visit';

let setting: Setting;
let api: ReturnType<typeof apiOf>;
let spaceId: string;

beforeAll(async () => {
  setting = await openSetting();
  ({ api, spaceId } = await signUpWithSpace(setting, 'Import'));
});

afterAll(() => setting?.close());

/** Waiting testimonials of these names, the first the newest; nothing else waits. */
async function open(names: string[], query = ''): Promise<Page> {
  const { page } = setting;
  // What the test before has decided is sent when its page is left.
  await visit(page, '/account');
  const { data } = await api('GET', '/testimonials?limit=100');
  const ids: string[] = data.map(({ id }: { id: string }) => id);
  if (ids.length > 0) await api('POST', '/testimonials/batch/delete', { testimonial_ids: ids });
  for (const name of names.toReversed()) {
    await api('POST', '/testimonials', {
      space_id: spaceId,
      type: 'text',
      submitter_name: name,
      submitter_email: 'someone@northwind.example',
      text_content: `${name} says that it works.`,
    });
  }
  await visit(page, `/testimonials${query}`);
  await row(page, names[0] ?? '').waitFor();
  return page;
}

const shown = (page: Page) => page.locator('article [id^=name-]').allTextContents();

const shows = (page: Page, names: string[]) =>
  eventually(async () => expect(await shown(page)).toEqual(names));

const button = (page: Page, wish: 'Approve' | 'Reject' | 'Open', name: string) =>
  row(page, name).getByRole('button', { name: `${wish} ${name}`, exact: true });

const search = (page: Page) => new URL(page.url()).search;

/** Whether the focus is on a row, a bar, a field or the page's content, and not nowhere. */
const isFocusSomewhere = (page: Page) =>
  eventually(async () =>
    expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY'),
  );

/** Waits until the focus is on this row. */
const hasFocus = (page: Page, name: string) =>
  eventually(async () =>
    expect(
      await page.evaluate(() => document.activeElement?.closest('article')?.textContent),
    ).toContain(`${name} says`),
  );

/** Presses keys with nothing between them but what each of them set off at once. */
const pressTogether = (page: Page, keys: string[]) =>
  page.evaluate(async (pressed) => {
    for (const key of pressed) {
      const target = document.activeElement ?? document.body;
      target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
      await Promise.resolve();
    }
  }, keys);

/** Writes as a person does, in the task that is running. Gives what the field has after it. */
const choose = (field: Locator, value: string) =>
  field.evaluate((element, chosen) => {
    if (!(element instanceof HTMLSelectElement)) throw new Error();
    element.value = chosen;
    element.dispatchEvent(new Event('change', { bubbles: true }));
    return element.value;
  }, value);

describe('decides once', () => {
  const names = ['Ann', 'Ben', 'Cid', 'Dan'];

  test('by a double click: the row that moves up under it stays', async () => {
    const page = await open(names);
    await button(page, 'Approve', 'Ann').dblclick();
    await shows(page, ['Ben', 'Cid', 'Dan']);
    await button(page, 'Reject', 'Ben').dblclick();
    await shows(page, ['Cid', 'Dan']);
  });

  test('by a key that is held, which moves on and on where it moves', async () => {
    const page = await open(names);
    await row(page, 'Ann').focus();
    // Down again without an up is a repetition.
    for (let downs = 0; downs < 3; downs += 1) await page.keyboard.down('j');
    await page.keyboard.up('j');
    await hasFocus(page, 'Dan');
    await row(page, 'Ann').focus();
    await page.keyboard.down('a');
    await hasFocus(page, 'Ben');
    for (let downs = 0; downs < 3; downs += 1) await page.keyboard.down('a');
    await page.keyboard.up('a');
    await page.keyboard.press('r');
    await shows(page, ['Cid', 'Dan']);
    await page.getByText('and 1 before').waitFor();
  });

  test('by each of two keys before the next frame, which leave the focus where they moved it', async () => {
    const page = await open(names);
    await row(page, 'Ann').focus();
    await pressTogether(page, ['a', 'r', 'j']);
    await shows(page, ['Cid', 'Dan']);
    // What was still to be done when the rows are drawn is done.
    await page.evaluate(
      () =>
        new Promise((done) =>
          requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done))),
        ),
    );
    await hasFocus(page, 'Dan');
  });
});

describe('a field shows what was put into it before the address follows', () => {
  test('a letter of the search that is typed while the address is written', async () => {
    const page = await open(['Ann']);
    const field = page.getByLabel('Search in the texts');
    await field.evaluate((input) => {
      const write = window.history.replaceState.bind(window.history);
      window.history.replaceState = (...address) => {
        write(...address);
        window.history.replaceState = write;
        if (!(input instanceof HTMLInputElement)) return;
        const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value') ?? {};
        set?.call(input, `${input.value}ys`);
        input.dispatchEvent(new Event('input', { bubbles: true }));
      };
    });
    await field.pressSequentially('sa');
    await eventually(async () => expect(search(page)).toBe('?search=says'));
    expect(await field.inputValue()).toBe('says');
  });

  test('a day that is typed digit by digit', async () => {
    const page = await open(['Ann']);
    await page.getByLabel('From day (UTC)').focus();
    await page.keyboard.type('01312026');
    await eventually(async () => expect(search(page)).toBe('?from=2026-01-31'));
    expect(await page.getByLabel('From day (UTC)').inputValue()).toBe('2026-01-31');
  });

  test('a choice, and the next one before the router has followed', async () => {
    const page = await open(['Ann']);
    for (const order of ['oldest', 'changed', 'best'])
      expect(await choose(page.getByLabel('Order'), order)).toBe(order);
    await eventually(async () => expect(search(page)).toBe('?sort=best'));
    await visit(page, '/requests');
    for (const status of ['2xx', '4xx'])
      expect(await choose(page.getByLabel('Status', { exact: true }), status)).toBe(status);
    await eventually(async () => expect(search(page)).toBe('?status=4xx'));
  });

  test('and follows an address that changes by itself', async () => {
    const page = await open(['Ann']);
    await page.goto('/testimonials?search=nobody&from=2026-01-31&sort=best');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await eventually(async () => expect(search(page)).toBe('?sort=best'));
    await eventually(async () =>
      expect(await page.getByLabel('Search in the texts').inputValue()).toBe(''),
    );
    expect(await page.getByLabel('From day (UTC)').inputValue()).toBe('');
    expect(await page.getByLabel('Order').inputValue()).toBe('best');
  });
});

test('what left the list is not selected any more', async () => {
  const page = await open(['Ann', 'Ben', 'Cid']);
  await page.getByLabel('Select Ann', { exact: true }).check();
  await page.getByLabel('Select Ben', { exact: true }).check();
  await page.getByRole('region', { name: 'Selection' }).getByText('2 selected').waitFor();
  await button(page, 'Approve', 'Ann').click();
  await page.getByRole('region', { name: 'Selection' }).getByText('1 selected').waitFor();
  await button(page, 'Approve', 'Ben').click();
  await page.getByRole('region', { name: 'Selection' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: /^Undo/ }).click();
  await shows(page, ['Ben', 'Cid']);
  expect(await page.getByRole('region', { name: 'Selection' }).count()).toBe(0);
});

describe('a correction that is not saved', () => {
  const stored = async (name: string) => {
    const { data } = await api('GET', '/testimonials?limit=100');
    return data.find((one: { submitter_name: string }) => one.submitter_name === name);
  };

  async function correct(page: Page, name: string) {
    await button(page, 'Open', name).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Text').fill('Better than it was.');
    return dialog;
  }

  test('is saved with the decision', async () => {
    const page = await open(['Ann', 'Ben']);
    const dialog = await correct(page, 'Ann');
    await dialog.getByRole('button', { name: 'Save and approve' }).click();
    await dialog.waitFor({ state: 'detached' });
    await shows(page, ['Ben']);
    await eventually(async () =>
      expect(await stored('Ann')).toMatchObject({
        text_content: 'Better than it was.',
        status: 'approved',
      }),
    );
  });

  test.each(['Save', 'Save and approve'])('is saved once by two presses of “%s”', async (name) => {
    const page = await open(['Ann', 'Ben']);
    const dialog = await correct(page, 'Ann');
    const sent: (string | null)[] = [];
    const note = (request: Request) => {
      if (/testimonials\.update\b/.test(request.url())) sent.push(request.postData());
    };
    page.on('request', note);
    await dialog.getByRole('button', { name, exact: true }).evaluate((button) => {
      for (let press = 0; press < 2; press += 1)
        button.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
    });
    await dialog.waitFor({ state: 'detached' });
    page.off('request', note);
    expect(sent.join().split('Better than it was.')).toHaveLength(2);
  });

  test('stays, undecided, where it cannot be saved', async () => {
    const page = await open(['Ann', 'Ben']);
    const dialog = await correct(page, 'Ann');
    await page.route(/testimonials.update\b/, (route) => route.abort());
    await dialog.getByRole('button', { name: 'Save and reject' }).click();
    await dialog.getByRole('alert').getByText('No answer came from the service').waitFor();
    expect(await dialog.getByLabel('Text').inputValue()).toBe('Better than it was.');
    await page.unroute(/testimonials.update\b/);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await shows(page, ['Ann', 'Ben']);
  });

  test('is asked for before the dialog closes, or another deletes', async () => {
    const page = await open(['Ann']);
    const dialog = await correct(page, 'Ann');
    const question = dialog.getByRole('alert').getByText('is not saved');
    await page.keyboard.press('Escape');
    await question.waitFor();
    await setting.inspect('inbox-unsaved');
    await dialog.getByRole('button', { name: 'Delete…' }).click();
    await dialog.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('dialog', { name: 'Delete the testimonial of Ann?' }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await correct(page, 'Ann');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await question.waitFor();
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await row(page, 'Ann').getByText('Better than it was.').waitFor();
    await button(page, 'Open', 'Ann').click();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  test('is asked for before one goes back, or closes the tab', async () => {
    const page = await open(['Ann']);
    await page.getByRole('link', { name: 'Spaces' }).click();
    await page.waitForURL('**/spaces');
    await page.getByRole('link', { name: 'Inbox' }).click();
    const dialog = await correct(page, 'Ann');
    await page.evaluate(() => history.back());
    await dialog.getByRole('alert').getByText('is not saved').waitFor();
    const asked = page.waitForEvent('dialog');
    void page.close({ runBeforeUnload: true });
    const question = await asked;
    expect(question.type()).toBe('beforeunload');
    await question.dismiss();
    expect(await dialog.getByLabel('Text').inputValue()).toBe('Better than it was.');
    await dialog.getByRole('button', { name: 'Discard' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.evaluate(() => history.back());
    await page.waitForURL('**/spaces');
  });
});

test('a batch that is over says what it did, and of what was so already', async () => {
  const page = await open(['Ann', 'Ben', 'Cid', 'Dan']);
  await button(page, 'Approve', 'Ann').click();
  await page.getByRole('button', { name: /^All/ }).click();
  await page.getByLabel('Select Ben', { exact: true }).check();
  await page.getByRole('button', { name: 'Select all 4 that match' }).click();
  await isFocusSomewhere(page);
  await page.getByRole('region', { name: 'Selection' }).getByText('Approve').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Approve' }).click();
  await dialog.getByText('3 of 3 testimonials approved').waitFor();
  await setting.inspect('inbox-batch-over');
  await dialog.getByText('1 more was approved already, or not among these any more').waitFor();
  expect(await dialog.getByRole('heading').textContent()).toBe('Approve 4 testimonials');
  const done = dialog.getByRole('progressbar');
  expect(await done.getAttribute('value')).toBe(await done.getAttribute('max'));
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await isFocusSomewhere(page);
});

test('no button takes the focus with it', async () => {
  const page = await open(['Ann', 'Ben', 'Cid'], '?status=all');
  const selection = page.getByRole('region', { name: 'Selection' });
  await page.getByLabel('Select all that are loaded').check();
  await selection.getByRole('button', { name: 'Clear' }).click();
  await isFocusSomewhere(page);
  await page.getByLabel('Select all that are loaded').check();
  await selection.getByRole('button', { name: 'Reject' }).click();
  await isFocusSomewhere(page);
  await page.getByRole('button', { name: /^Undo/ }).click();
  await isFocusSomewhere(page);
  await page.route(/testimonials.updateBatch/, (route) => route.abort());
  await button(page, 'Approve', 'Ben').click();
  await isFocusSomewhere(page);
  await page.getByRole('button', { name: 'Leave it' }).click();
  await isFocusSomewhere(page);
  await page.unroute(/testimonials.updateBatch/);
  await page.getByLabel('Search in the texts').fill('nobody says this');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await shows(page, ['Ann', 'Ben', 'Cid']);
  await isFocusSomewhere(page);
});

test('axe found nothing serious on any page, and none is wider than a telephone', () => {
  expect(setting.obstacles).toEqual([]);
});

test('no page asked another host for anything, or complained', () => {
  // The browser's own words for what the tests cut off.
  expect(watchBesides('ERR_FAILED', setting.watch)).toEqual({ foreign: [], complaints: [] });
});
