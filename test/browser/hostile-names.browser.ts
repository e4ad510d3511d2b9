import type { Locator } from 'playwright-core';
import { eventually } from './eventually';
import { apiOf, row, signUpWithSpace, submissionOf } from './inbox';
import { nowhere } from './receiver';
import { createKey, openSetting, type Setting } from './setting';
import { visit } from './visit';

/** One character to the browser, as wide as a hundred: it is broken nowhere. */
const unbroken = `\u0f12${'\u0f77'.repeat(99)}`;
/** Its marks stand above and below one another, over many lines. */
const heaped = `Z${'\u0301'.repeat(40)}${'\u0323'.repeat(40)}`;
const unseen = '\u200b\u2060';
const longUrl = `${nowhere}${'a'.repeat(2048 - nowhere.length)}`;

let setting: Setting;
let endpointPath: string;

beforeAll(async () => {
  setting = await openSetting();
  const { api, spaceId } = await signUpWithSpace(setting, 'Website');
  for (const name of [heaped, unbroken]) await api('POST', '/spaces', { name });
  const endpoint = await api('POST', '/webhook-endpoints', {
    url: `${nowhere}receiver`,
    event_types: ['testimonial.created'],
  });
  endpointPath = `/webhooks/${endpoint.data.id}`;
  await api('POST', '/webhook-endpoints', { url: longUrl, event_types: ['testimonial.deleted'] });
  for (const submitter_name of ['Ada', heaped, unbroken, unseen]) {
    await api('POST', '/testimonials', {
      space_id: spaceId,
      type: 'text',
      submitter_name,
      submitter_email: 'someone@northwind.example',
      submitter_role: 'Founder',
      submitter_company: unseen,
      text_content: 'It works.',
    });
  }
});

afterAll(() => setting?.close());

test.each([
  { width: 1280, what: 'a space', path: () => '/spaces' },
  { width: 320, what: 'a space', path: () => '/spaces' },
  { width: 1280, what: 'a submitter', path: () => endpointPath },
  { width: 320, what: 'a submitter', path: () => endpointPath },
])('a name of $what that cannot be broken pushes no column out at $width px', async (view) => {
  const { page } = setting;
  await page.setViewportSize({ width: view.width, height: 800 });
  await visit(page, view.path());
  await page.getByRole('table').first().getByText(unbroken).waitFor();
  const beyond = () =>
    page.evaluate(() => {
      const frame = document.querySelector('table')?.parentElement?.getBoundingClientRect();
      return [...document.querySelectorAll('td')]
        .filter((cell) => cell.getBoundingClientRect().right > (frame?.right ?? 0))
        .map((cell) => cell.dataset.label ?? 'the actions');
    });
  await eventually(async () => expect(await beyond()).toEqual([]));
  await page.setViewportSize({ width: 1280, height: 800 });
});

test.each([
  { width: 1280, what: 'spaces', path: () => '/spaces' },
  { width: 320, what: 'spaces', path: () => '/spaces' },
  { width: 1280, what: 'deliveries', path: () => endpointPath },
  { width: 320, what: 'deliveries', path: () => endpointPath },
])('a name of many marks reaches into no other row of $what at $width px', async (view) => {
  const { page } = setting;
  await page.setViewportSize({ width: view.width, height: 800 });
  await visit(page, view.path());
  const name = page.getByRole('table').first().getByText(heaped);
  await name.waitFor();
  const pictureOf = async (other: Locator, visibility: 'visible' | 'hidden') => {
    await name.evaluate(
      (element, value) => element.style.setProperty('visibility', value),
      visibility,
    );
    return (await other.screenshot()).toString('base64');
  };
  const isReached = async (other: Locator) => {
    // What a row says of times and of tries changes by itself, but not each time.
    for (let tries = 0; tries < 3; tries += 1) {
      if ((await pictureOf(other, 'visible')) === (await pictureOf(other, 'hidden'))) return false;
    }
    return true;
  };
  const reached: boolean[] = [];
  for (const other of await page.getByRole('row').filter({ hasNotText: heaped }).all())
    if (await other.isVisible()) reached.push(await isReached(other));
  expect(reached.length).toBeGreaterThan(1);
  expect(reached).not.toContain(true);
  await page.setViewportSize({ width: 1280, height: 800 });
});

test('no comma stands before a company of which nobody sees anything', async () => {
  const { page } = setting;
  await visit(page, '/testimonials');
  expect(await row(page, 'Ada').getByText('Founder').textContent()).toBe('Founder');
});

test('a testimonial by a name that nobody sees can be told wherever it is pointed at', async () => {
  const { page } = setting;
  await visit(page, '/testimonials');
  const unnamed = row(page, 'Unnamed');
  await unnamed.getByRole('button', { name: 'Open Unnamed' }).click();
  await page.getByRole('dialog').getByText('Unnamed').waitFor();
  await page.keyboard.press('Escape');
  await unnamed.getByRole('button', { name: 'Approve Unnamed' }).click();
  const undo = page.getByRole('region', { name: 'Undo' });
  await undo.getByText('Unnamed approved').waitFor();
  await undo.getByRole('button').click();
  await page.getByLabel('Select Unnamed').check();
  await page.getByRole('region', { name: 'Selection' }).getByText('Delete…').click();
  await page.getByRole('dialog', { name: 'Delete the testimonial of Unnamed?' }).waitFor();
  await visit(page, endpointPath);
  await page.getByRole('cell', { name: 'Unnamed' }).waitFor();
});

test.each([1280, 320])(
  'a URL as long as one may be is folded until it is asked for, at %i px',
  async (width) => {
    const { page } = setting;
    await page.setViewportSize({ width, height: 800 });
    const rowHeight = async (text: string) =>
      (await page.getByRole('row').filter({ hasText: text }).boundingBox())?.height ?? 0;
    await visit(page, '/webhooks');
    await page.getByRole('link', { name: longUrl }).waitFor();
    expect(await rowHeight(longUrl)).toBeLessThan((await rowHeight(`${nowhere}receiver`)) + 60);
    await page.getByRole('link', { name: longUrl }).click();
    const title = page.getByRole('heading', { level: 1 });
    await title.getByText(longUrl).waitFor();
    const height = async () => (await title.boundingBox())?.height ?? 0;
    await eventually(async () => expect(await height()).toBeLessThan(120));
    await page.getByRole('main').getByRole('button', { name: 'Show more' }).first().click();
    await eventually(async () => expect(await height()).toBeGreaterThan(400));
    await page.getByRole('main').getByRole('button', { name: 'Show less' }).click();
    await eventually(async () => expect(await height()).toBeLessThan(120));
    const told = page.getByRole('listitem').filter({ hasText: 'added the endpoint' });
    await eventually(async () => expect((await told.boundingBox())?.height).toBeLessThan(250));
    await told.getByRole('button', { name: 'Show more' }).click();
    await eventually(async () => expect((await told.boundingBox())?.height).toBeGreaterThan(400));
    await page.setViewportSize({ width: 1280, height: 800 });
  },
);

const rightToLeft = `ראשון ${'א'.repeat(94)}`;

describe('a long name', () => {
  beforeAll(async () => {
    const { page } = setting;
    const api = apiOf(setting, await createKey(page, rightToLeft));
    const { data } = await api('POST', '/spaces', { name: rightToLeft });
    await api('POST', '/testimonials', {
      space_id: data.id,
      type: 'text',
      submitter_name: 'N'.repeat(100),
      submitter_email: 'someone@northwind.example',
      submitter_role: 'Head of Support',
      rating: 4,
      text_content: 'It works.',
    });
  });

  /** Whether its first letters are within what cuts it. */
  const startIsSeen = (name: Locator) =>
    name.evaluate((element) => {
      const letters = document.createRange();
      const [text] = element.childNodes;
      if (!text) return false;
      letters.setStart(text, 0);
      letters.setEnd(text, 5);
      let cutting: Element | null = element;
      while (cutting && getComputedStyle(cutting).overflowX !== 'hidden')
        cutting = cutting.parentElement;
      const shown = cutting?.getBoundingClientRect();
      const { left, right } = letters.getBoundingClientRect();
      return shown !== undefined && left >= shown.left - 1 && right <= shown.right + 1;
    });

  test.each([
    { of: 'a key', path: '/requests', role: 'row', width: 1280 },
    { of: 'a key', path: '/requests', role: 'row', width: 320 },
    { of: 'a space', path: '/testimonials', role: 'article', width: 320 },
  ] as const)('of $of from right to left is cut at its end, at $width px', async (view) => {
    const { page } = setting;
    await page.setViewportSize({ width: view.width, height: 800 });
    await visit(page, view.path);
    const name = page.getByRole(view.role).getByText(rightToLeft).first();
    await eventually(async () => expect(await startIsSeen(name)).toBe(true));
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test.each([1280, 820, 320])('leaves room for the rating, at %i px', async (width) => {
    const { page } = setting;
    await page.setViewportSize({ width, height: 800 });
    await visit(page, '/testimonials');
    const stars = row(page, 'N'.repeat(100)).getByRole('img', { name: '4 of 5 stars' });
    const isSeen = () =>
      stars.evaluate((element) => {
        element.scrollIntoView({ block: 'center' });
        const { left, right, y, height } = element.getBoundingClientRect();
        return [left + 1, right - 1].every((x) =>
          element.contains(document.elementFromPoint(x, y + height / 2)),
        );
      });
    await eventually(async () => expect(await isSeen()).toBe(true));
    await page.setViewportSize({ width: 1280, height: 800 });
  });
});

test('a long name of a space leaves its ID on one line', async () => {
  const { page } = setting;
  await visit(page, '/spaces');
  const id = page
    .getByRole('row')
    .filter({ hasText: rightToLeft })
    .getByText(/^[0-9a-f]{8}…$/);
  const lines = () =>
    id.evaluate((element) => {
      const letters = document.createRange();
      letters.selectNodeContents(element);
      return letters.getClientRects().length;
    });
  await eventually(async () => expect(await lines()).toBe(1));
});

test('a company keeps its own direction behind a role of another', async () => {
  const { page } = setting;
  const api = apiOf(setting, await createKey(page, 'Website'));
  const { data } = await api('GET', '/spaces?limit=1');
  await api('POST', '/testimonials', {
    ...submissionOf(data[0].id, 'Noa'),
    submitter_role: 'מנהלת',
    submitter_company: 'ACME Inc.',
  });
  await visit(page, '/testimonials');
  const noa = row(page, 'Noa');
  const isBehind = (of: Locator) =>
    of
      .getByText('ACME Inc.')
      .last()
      .evaluate((element) => {
        const [text] = element.childNodes;
        const end = text?.textContent?.length ?? 0;
        const leftOf = (offset: number) => {
          const letter = document.createRange();
          letter.setStart(text ?? element, offset - 1);
          letter.setEnd(text ?? element, offset);
          return letter.getBoundingClientRect().left;
        };
        return leftOf(end) > leftOf(end - 1);
      });
  await eventually(async () => expect(await isBehind(noa)).toBe(true));
  await noa.getByRole('button', { name: 'Open Noa' }).click();
  await eventually(async () => expect(await isBehind(page.getByRole('dialog'))).toBe(true));
  await page.keyboard.press('Escape');
});
