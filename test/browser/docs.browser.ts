import type { Request } from 'playwright-core';
import { cutOff, cutOnPaper, onPaper } from './checks';
import { eventually } from './eventually';
import { createKey, openSetting, type Setting, signUp } from './setting';
import { visit } from './visit';

/** Of compressed script, in bytes; the page is for people who come to read. */
const scriptLimit = 600_000;

let setting: Setting;

beforeAll(async () => {
  setting = await openSetting();
});

afterAll(() => setting?.close());

async function openReference(): Promise<void> {
  await visit(setting.page, '/docs');
}

/** The form that sends requests of this operation, opened. */
async function openForm(title: string) {
  const { page } = setting;
  await page.getByRole('button', { name: `Try it: ${title}`, exact: true }).click();
  return page.getByRole('form', { name: title, exact: true });
}

/** The browser's own word on an answer that was refused or lost, and no other. */
async function expectComplaint(): Promise<void> {
  const { complaints } = setting.watch;
  await eventually(async () => expect(complaints).toHaveLength(1));
  complaints.length = 0;
}

describe('the API reference', () => {
  test('is open to everyone, and served by us alone', async () => {
    const { inspect, watch } = setting;
    await openReference();
    await inspect('docs');
    expect(watch).toEqual({ foreign: [], complaints: [] });
  });

  test('comes compressed, with at most 600 kB of script', async () => {
    const { page } = setting;
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.setCacheDisabled', { cacheDisabled: true });
    const scripts = new Set<string>();
    const uncompressed: string[] = [];
    let bytes = 0;
    session.on('Network.responseReceived', ({ requestId, type, response }) => {
      if (type !== 'Script') return;
      scripts.add(requestId);
      const headers = new Headers(response.headers);
      // The smallest are not worth it.
      const isSmall = Number(headers.get('content-length') ?? Infinity) < 1024;
      if (!isSmall && !headers.has('content-encoding')) uncompressed.push(response.url);
    });
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      if (scripts.has(requestId)) bytes += encodedDataLength;
    });
    await openReference();
    await session.detach();
    process.stdout.write(`/docs: ${Math.round(bytes / 1000)} kB of script\n`);
    expect(uncompressed).toEqual([]);
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThan(scriptLimit);
  });

  test('is at most a megabyte of text', async () => {
    const text = await (await setting.page.request.get('/docs')).text();
    process.stdout.write(`/docs: ${Math.round(text.length / 1000)} kB of HTML\n`);
    expect(text.length).toBeLessThan(1_000_000);
  });

  test('is dark where the person has chosen so, and light again', async () => {
    const { page } = setting;
    for (const scheme of ['dark', 'light', 'auto']) {
      await page.evaluate(
        (value) => localStorage.setItem('mantine-color-scheme-value', value),
        scheme,
      );
      await openReference();
      const shown = await page.evaluate(() => document.documentElement.dataset.mantineColorScheme);
      expect(shown).toBe(scheme === 'dark' ? 'dark' : 'light');
    }
  });

  test('can be read whole, without scripts too', async () => {
    const { page, inspect } = setting;
    await openReference();
    await page.evaluate(() => {
      for (const details of document.querySelectorAll('details')) details.open = true;
    });
    await inspect('docs-whole');
    const text = await (await page.request.get('/docs')).text();
    for (const said of ['List testimonials', 'sort_order', 'TESTIMONIAL_NOT_FOUND', 'curl']) {
      expect(text).toContain(said);
    }
  });

  test('is whole on paper, without what leads elsewhere', async () => {
    const { page } = setting;
    await openReference();
    expect(await cutOnPaper(page)).toEqual([]);
    await onPaper(page, async () => {
      expect(await page.getByRole('link', { name: 'Get a space' }).count()).toBe(0);
      const { x, width } = (await page.getByRole('main').boundingBox()) ?? {};
      expect({ x, isBeside: Number(width) < 1000 }).toEqual({ x: 0, isBeside: false });
    });
  });

  test('leads from its contents to an operation', async () => {
    const { page } = setting;
    await openReference();
    await page
      .getByRole('navigation', { name: 'Operations' })
      .getByRole('link', { name: 'Get a space' })
      .click();
    await page.waitForURL('**/docs#getSpace');
    const top = await page
      .getByRole('heading', { name: 'Get a space' })
      .evaluate((heading) => heading.getBoundingClientRect().top);
    // Below the bar that stays.
    expect(top).toBeGreaterThanOrEqual(48);
    expect(top).toBeLessThan(800);
  });

  test('keeps the links of its bar together, and clear of the edges, whatever the width', async () => {
    const { page } = setting;
    await openReference();
    const found: string[] = [];
    for (let width = 320; width <= 480; width += 5) {
      await page.setViewportSize({ width, height: 800 });
      const { above, tops } = await page.locator('header').evaluate((bar) => {
        const { top } = bar.getBoundingClientRect();
        const brand = bar.querySelector('span')?.getBoundingClientRect().top ?? top;
        const links = [...bar.querySelectorAll('a')].map((a) => a.getBoundingClientRect().top);
        return { above: brand - top, tops: links.map((each) => each - (links[0] ?? top)) };
      });
      // Among themselves they are a pixel apart.
      if (above < 8 || tops.some((top) => Math.abs(top) > 3)) {
        found.push(`${width}: ${above}, ${tops}`);
      }
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    expect(found).toEqual([]);
  });

  test('begins with its first sentence on a telephone, and its contents are passed by at once', async () => {
    const { page } = setting;
    await page.setViewportSize({ width: 360, height: 740 });
    await openReference();
    expect(await cutOff(page)).toEqual([]);
    const first = await page.locator('main p').nth(1).boundingBox();
    expect(first?.y).toBeLessThan(370);
    await page.getByText('Operations', { exact: true }).click();
    const contents = page.getByRole('navigation', { name: 'Operations' });
    await contents.getByRole('link', { name: 'Get a space' }).click();
    await page.waitForURL('**/docs#getSpace');
    await page.setViewportSize({ width: 1280, height: 800 });
    await openReference();
    await contents.getByRole('link', { name: 'Get a space' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await eventually(async () =>
      expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN'),
    );
  });

  test('sends requests to this service, with the key one gives it', async () => {
    const { page, inspect } = setting;
    await signUp(page, 'ada@example.com');
    const key = await createKey(page, 'Reference');
    await openReference();
    await page.getByLabel('API key', { exact: true }).fill(key);
    const form = await openForm('List testimonials');
    await form.getByLabel('search').fill('calm & quiet');
    await form.getByLabel('status').selectOption('approved');
    await inspect('docs-try-it');
    const command = page.getByRole('region', { name: 'curl for List testimonials' });
    await eventually(async () =>
      expect(await command.textContent()).toContain('status=approved&search=calm+%26+quiet'),
    );
    await eventually(async () => expect(await command.textContent()).toContain('Bearer $KEY'));
    const answered = page.waitForResponse(/\/api\/v1\/testimonials/);
    await form.getByRole('button', { name: 'Send' }).click();
    const answer = await answered;
    expect(answer.status()).toBe(200);
    expect(new URL(answer.url()).searchParams.get('search')).toBe('calm & quiet');
    expect(await answer.request().headerValue('cookie')).toBeNull();
    await page.getByText('200 OK').waitFor();
    await inspect('docs-try-it-answered');
  });

  test('says what is wrong where there is no key', async () => {
    const { page } = setting;
    await openReference();
    const form = await openForm('List spaces');
    await form.getByText('Type in an API key above').waitFor();
    await form.getByRole('button', { name: 'Send' }).click();
    await page.getByText('401 Unauthorized').waitFor();
    await page.getByRole('region', { name: 'answer to List spaces' }).getByText('code').waitFor();
    // Headers and body are not read out: they may be long.
    const said = page.getByRole('status').filter({ hasText: '401' });
    expect(await said.textContent()).toMatch(/^401 Unauthorized \d+ ms$/);
    await expectComplaint();
  });

  test('says what to do where the service could not be reached, and where a key cannot be sent', async () => {
    const { page, inspect } = setting;
    await openReference();
    const form = await openForm('List spaces');
    const said = page.getByRole('status');
    await page.route(/api\/v1\/spaces/, (route) => route.abort());
    await form.getByRole('button', { name: 'Send' }).click();
    await said.getByText('Check your connection and send it again.').waitFor();
    await inspect('docs-no-answer');
    await page.unroute(/api\/v1\/spaces/);
    await page.getByLabel('API key', { exact: true }).fill('“sk_live_x”');
    await form.getByRole('button', { name: 'Send' }).click();
    await said.getByText('Copy the key again').waitFor();
    await expectComplaint();
  });

  test('sends a request once where it is pressed twice, and gives the focus back', async () => {
    const { page } = setting;
    await openReference();
    const form = await openForm('Create a space');
    const sent: string[] = [];
    const note = (request: Request) => request.method() === 'POST' && sent.push(request.url());
    page.on('request', note);
    const button = form.getByRole('button', { name: 'Send' });
    await button.focus();
    await button.evaluate((element: HTMLElement) => {
      element.click();
      element.click();
    });
    await page.getByText('401 Unauthorized').waitFor();
    await eventually(async () => expect(await page.locator(':focus').textContent()).toBe('Send'));
    page.off('request', note);
    expect(sent).toHaveLength(1);
    await expectComplaint();
  });

  test('stops waiting where one asks for it', async () => {
    const { page } = setting;
    await openReference();
    const form = await openForm('Create a space');
    await page.route(/api\/v1\/spaces/, () => {}, { times: 1 });
    await form.getByRole('button', { name: 'Send' }).click();
    await form.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('status').getByText('Stopped before there was an answer').waitFor();
    expect(await form.getByRole('button', { name: 'Stop' }).count()).toBe(0);
  });

  test('says of a change whose answer was lost that it may be done', async () => {
    const { page } = setting;
    await openReference();
    const form = await openForm('Create a space');
    await page.route(/api\/v1\/spaces/, (route) => route.abort('connectionreset'), { times: 1 });
    await form.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('status').getByText('this may be done or not').waitFor();
    await expectComplaint();
  });

  test('lets one write a body', async () => {
    const { page, inspect } = setting;
    await openReference();
    const form = await openForm('Create a space');
    await form.getByLabel('Body').fill(`{"name": "It's ours"}`);
    await inspect('docs-try-it-body');
    const command = page.getByRole('region', { name: 'curl for Create a space' });
    await eventually(async () =>
      expect(await command.textContent()).toContain(`--data-raw '{"name": "It'\\''s ours"}'`),
    );
  });
});

test('axe found nothing serious, and the reference is no wider than a telephone', () => {
  expect(setting.obstacles).toEqual([]);
});
