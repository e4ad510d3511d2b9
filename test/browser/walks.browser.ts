import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { type Receiver, startReceiver } from './receiver';
import { createKey, openSetting, password, type Setting, signUp } from './setting';

/** FUZZ_FACTOR=20 walks twenty times as far; FUZZ_SEED makes the choices that a failure printed. */
const factor = Number(process.env.FUZZ_FACTOR ?? 1);
const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);

const steps = 120 * factor;

/** After which a step that led to no page is none; it is gone on from where it is. */
const noPageMs = 5_000;

/** A question that meets a page being left may fail, or never be answered. */
const noAnswerMs = 20_000;

/** Steps that came to nothing for that reason; beyond, it is no walk. */
const mostLostSteps = steps / 4;

/** Said with a failure. */
const trailLength = 12;

const email = 'ada@example.com';
const pages = ['/testimonials', '/spaces', '/api-keys', '/requests', '/webhooks', '/account'];
const oddQueries = [
  '?status=none',
  '?search=%E2%80%AE',
  '?cursor=x&sort=y',
  '?request=1&delivery=2',
];
const keys = ['Escape', 'Tab', 'Enter', 'Space', 'ArrowDown', 'ArrowUp', ...'jkarx?/0'];
const texts = [
  ...['', '   ', 'Ada', 'Ada ‮Park', '<img src=x>', 'é'.repeat(3000), '-1', '2026-02-30'],
  ...['https://receiver.example/hook', 'http://', '#zzzzzz', '99999999999999999999'],
];

/** The look of what failed for good: of a page, of all pages, and of the framework itself. */
const failedHeadings =
  /This page could not be loaded|could not show this page|Application error|Unhandled/;

/**
 * The browser's own words, and the framework's, for a refusal, for a network that is gone, and for a
 * page that is left before all of it has come.
 */
const expected = /^Failed to (load resource|fetch RSC payload)|React error #41[29];/;

let setting: Setting;
let receiver: Receiver;
let state = seed;

beforeAll(async () => {
  [setting, receiver] = [await openSetting(), await startReceiver()];
  await signUp(setting.page, email);
});

afterAll(async () => {
  await setting?.close();
  await receiver?.close();
});

/** The next number below `bound`, of Park and Miller's generator. */
function below(bound: number): number {
  state = (state * 48_271) % 2_147_483_647;
  return state % bound;
}

const oneOf = <T>(items: readonly T[]): T => items[below(items.length)] as T;

/** Something on every page: rows, more than one page of them, requests, an endpoint. */
async function fill(page: Page): Promise<void> {
  const key = await createKey(page, 'Walks');
  const post = async (path: string, body: object) => {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    return (await fetch(`${setting.service.url}/api/v1${path}`, init)).json();
  };
  const { data: space } = await post('/spaces', { name: 'Northwind' });
  await post('/webhook-endpoints', {
    url: receiver.url,
    event_types: ['testimonial.created', 'testimonial.approved'],
  });
  const testimonial = { space_id: space.id, type: 'text', submitter_email: 'eve@example.com' };
  const testimonials = Array.from({ length: 120 }, (_, at) => ({
    ...{ ...testimonial, submitter_name: `Eve ${at}`, text_content: `Number ${at}` },
    ...(at % 3 > 0 && { rating: 1 + (at % 5) }),
  }));
  await post('/imports', { testimonials });
  await post('/testimonials', { type: 'text' });
}

/** Whatever can be clicked, of what is to be seen and leads nowhere else. */
async function click(page: Page): Promise<string> {
  const found = await page.evaluate(() => {
    const selector =
      'a[href], button, input, textarea, select, summary, [role=tab], [role=menuitem], [role=option]';
    return [...document.querySelectorAll<HTMLElement>(selector)].flatMap((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      const [x, y] = [left + width / 2, top + height / 2];
      const front = document.elementFromPoint(x, y);
      const isOurs = !(element instanceof HTMLAnchorElement) || element.origin === location.origin;
      const isThere = width > 0 && front !== null && element.contains(front);
      const name = element.getAttribute('aria-label') ?? element.textContent ?? '';
      return isOurs && isThere ? [{ x, y, name: `${element.tagName} ${name.slice(0, 40)}` }] : [];
    });
  });
  if (found.length === 0) return 'nothing to click';
  const target = oneOf(found);
  await page.mouse.click(target.x, target.y);
  return `click ${target.name}`;
}

async function act(page: Page): Promise<string> {
  const choice = below(100);
  if (choice < 55) return click(page);
  if (choice < 70) {
    const key = oneOf(keys);
    await page.keyboard.press(key);
    return `press ${key}`;
  }
  if (choice < 85) {
    const text = oneOf(texts);
    await page.keyboard.insertText(text);
    return `type ${text.slice(0, 40)}`;
  }
  if (choice < 88) {
    await page.context().setOffline(true);
    try {
      return `offline ${await click(page)}`;
    } finally {
      await page.context().setOffline(false);
    }
  }
  if (choice < 91) {
    const width = oneOf([390, 1280]);
    await page.setViewportSize({ width, height: 800 });
    return `${width} px`;
  }
  if (choice < 94) {
    // A page that asks whether to leave may stay: then there is no other to wait for.
    await page.goBack({ timeout: noPageMs });
    return 'back';
  }
  const address = oneOf(pages) + (below(2) ? oneOf(oddQueries) : '');
  await page.goto(address);
  return `go to ${address}`;
}

/** Out of what has led away: another folder of the service, or a session that was ended. */
async function goOn(page: Page): Promise<void> {
  const { pathname, origin } = new URL(page.url());
  if (origin !== setting.service.url || pathname === '/docs') await page.goto('/testimonials');
  if (!/^\/(sign-in|sign-up|forgot-password)$/.test(pathname)) return;
  await page.goto('/sign-in?next=/testimonials');
  // Whoever was signed in after all, and on the way elsewhere, is led there.
  const question = page.getByLabel('E-mail');
  await question
    .or(page.getByRole('heading', { name: 'Inbox' }))
    .first()
    .waitFor();
  if (!(await question.isVisible())) return;
  await question.fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL('**/testimonials');
}

/** What comes of a question to the browser; undefined where it has no answer: the walk goes on. */
async function asked<T>(question: Promise<T>): Promise<T | undefined> {
  const noAnswer = sleep(noAnswerMs, undefined, { ref: false });
  return Promise.race([question, noAnswer]).catch(() => undefined);
}

/**
 * The heading of a page that has failed, if it has. One that was cut off on its way, as by a step without
 * a network, has to come when it is tried again.
 */
async function failedHeading(page: Page): Promise<string | undefined> {
  // biome-ignore lint/performance/useDomNodeTextContent: what is hidden is not read.
  const read = () => asked(page.evaluate(() => document.body.innerText));
  let text = await read();
  if (text?.includes('It did not arrive whole')) {
    // It may come by itself as well.
    await page
      .getByRole('button', { name: 'Try again' })
      .click({ timeout: noPageMs })
      .catch(() => undefined);
    const failed = page.getByRole('heading', { name: 'This page could not be loaded' });
    await asked(failed.waitFor({ state: 'detached', timeout: noAnswerMs }));
    text = await read();
  }
  return failedHeadings.exec(text ?? '')?.[0];
}

test(
  `a random walk over every page reaches no unhandled error (FUZZ_SEED=${seed})`,
  async () => {
    const { page, watch } = setting;
    await fill(page);
    const failures: string[] = [];
    const trail: string[] = [];
    let lostSteps = 0;
    page.on('response', (response) => {
      if (response.status() >= 500) failures.push(`${response.status()} ${response.url()}`);
    });
    // What a page says by itself before it is left, or asks.
    page.on('dialog', (dialog) => void dialog.accept().catch(() => undefined));
    for (let step = 0; step < steps; step += 1) {
      const action = await asked(act(page));
      if (!action) lostSteps += 1;
      trail.push(action ?? 'no step');
      await asked(page.waitForLoadState('domcontentloaded'));
      const heading = await failedHeading(page);
      if (heading) failures.push(heading);
      const complaints = watch.complaints.filter((text) => !expected.test(text));
      const found = { failures, complaints, foreign: watch.foreign };
      const isWell = Object.values(found).every(({ length }) => length === 0);
      expect({ ...found, trail: isWell ? [] : trail.slice(-trailLength) }).toEqual({
        ...{ failures: [], complaints: [], foreign: [] },
        trail: [],
      });
      await asked(goOn(page));
    }
    expect(lostSteps).toBeLessThan(mostLostSteps);
  },
  300_000 * factor,
);
