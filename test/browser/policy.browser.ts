import type { Page } from 'playwright-core';
import { z } from 'zod';
import { pagesOfApp } from '../pages/page-addresses';
import { eventually } from './eventually';
import { nowhere } from './receiver';
import { createEndpoint, openSetting, type Setting, signUp } from './setting';
import { visit } from './visit';

declare global {
  interface Window {
    violations: string[];
    ranFromMarkup?: boolean;
  }
}

/** These send whoever is signed in to the dashboard. */
const beforeSignIn = ['/', '/sign-in', '/sign-up'];

let setting: Setting;

/** Those that a person who is signed in may open, and one that is missing. */
let pages: string[];

beforeAll(async () => {
  setting = await openSetting({ TRUSTED_PROXIES: '127.0.0.1' });
  await setting.page.addInitScript(() => {
    window.violations = [];
    document.addEventListener('securitypolicyviolation', (event) => {
      window.violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`);
    });
  });
  await signUp(setting.page, 'policy@example.com');
  const addresses: Record<string, string> = {
    '/webhooks/[endpointId]': await createEndpoint(setting.page, `${nowhere}nowhere`),
  };
  const ownPages = pagesOfApp().filter(({ path }) => !beforeSignIn.includes(path));
  pages = ['/nope', ...ownPages.map(({ path }) => addresses[path] ?? path)];
});

afterAll(() => setting?.close());

const violations = (page: Page) => page.evaluate(() => window.violations);

test('every page with a parameter in its path has an address here that opens it', () => {
  expect(pages.length).toBeGreaterThan(4);
  expect(pages.filter((path) => path.includes('['))).toEqual([]);
});

test('every page can be read, seen and reached, in light and in dark', async () => {
  for (const path of pages) {
    await visit(setting.page, path);
    await setting.inspect(`page${path.replaceAll('/', '-')}`);
  }
  expect(setting.obstacles).toEqual([]);
});

describe('the policy for scripts', () => {
  test('is broken by no page, in light and in dark, and every page comes to life', async () => {
    const { page, watch } = setting;
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const path of pages) {
        await visit(page, path);
        const scheme = page.locator(`html[data-mantine-color-scheme=${colorScheme}]`);
        await eventually(async () => expect([path, await scheme.count()]).toEqual([path, 1]));
        expect([path, await violations(page)]).toEqual([path, []]);
      }
    }
    await page.emulateMedia({ colorScheme: 'light' });
    expect(watch.foreign).toEqual([]);
    // The missing page alone is one that the browser itself reports.
    expect(watch.complaints.filter((text) => !text.includes('404'))).toEqual([]);
  });

  test('is new for each page and allows no script without its nonce', async () => {
    const { page } = setting;
    const policyOf = async () => {
      const answer = await page.goto('/account');
      return answer?.headers()['content-security-policy'] ?? '';
    };
    const policy = await policyOf();
    expect(policy).toMatch(/script-src 'self' 'nonce-[\w+/]{22}=='/);
    expect(/script-src[^;]*/.exec(policy)?.[0]).not.toMatch(/unsafe|\*|http/);
    expect(await policyOf()).not.toBe(policy);
    await page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'window.ranFromMarkup = true';
      document.body.append(script);
      document.body.insertAdjacentHTML(
        'beforeend',
        '<img src="x:" onerror="window.ranFromMarkup = true">',
      );
    });
    await page.waitForFunction(() => window.violations.length >= 2);
    expect(await page.evaluate(() => window.ranFromMarkup)).toBeUndefined();
  });

  test('holds for the pages before sign-in, to which every other leads, and leaves their forms at work', async () => {
    const { page } = setting;
    await page.context().clearCookies();
    for (const { path, isOfDashboard } of pagesOfApp()) {
      if (!isOfDashboard) continue;
      const some = path.replace(/\[\w+\]/, 'some-id');
      const answer = await page.request.get(`${some}?q=a%20b%2F%C3%A9&mode=test`, {
        maxRedirects: 0,
      });
      const next = encodeURIComponent(`${some}?q=a+b%2F%C3%A9&mode=test`);
      // Answered as a whole: a page that begins would have to be left again by its scripts.
      expect([answer.status(), answer.headers().location]).toEqual([307, `/sign-in?next=${next}`]);
    }
    for (const path of ['/sign-up', '/sign-in']) {
      await visit(page, path);
      expect([path, await violations(page)]).toEqual([path, []]);
    }
    await page.getByLabel('E-mail').fill('policy@example.com');
    await page.getByLabel('Password', { exact: true }).fill('wrong password');
    let retryAfter = 0;
    for (let tries = 1; tries <= 11; tries += 1) {
      const answered = page.waitForResponse(/\/api\/auth\/sign-in/);
      await page.getByRole('button', { name: 'Sign in' }).click();
      const answer = await answered;
      expect([tries, answer.status()]).toEqual([tries, tries > 10 ? 429 : 401]);
      retryAfter = Number(answer.headers()['retry-after']);
    }
    const minutes = Math.ceil(retryAfter / 60);
    expect(minutes).toBeGreaterThan(1);
    await page
      .getByRole('alert')
      .getByText(`Too many tries. Try again in ${minutes} minutes.`)
      .waitFor();
    await setting.inspect('sign-in-throttled');
    expect(await violations(page)).toEqual([]);
    expect(setting.obstacles).toEqual([]);
  });
});

const headersOf = async (path: string, headers: Record<string, string> = {}) =>
  (await fetch(setting.service.url + path, { headers })).headers;

test('a browser that came over TLS is told to stay with it, and no other', async () => {
  const behindTls = await headersOf('/sign-in', { 'x-forwarded-proto': 'https' });
  expect(behindTls.get('strict-transport-security')).toMatch(/^max-age=\d{8}$/);
  expect((await headersOf('/sign-in')).has('strict-transport-security')).toBe(false);
});

test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
  'a page answers %s with what it offers, and is not drawn as if something were done',
  async (method) => {
    const answer = await fetch(`${setting.service.url}/testimonials`, { method });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    const { error } = z.object({ error: z.unknown() }).parse(await answer.json());
    expect(error).toEqual({ code: 'METHOD_NOT_ALLOWED', message: expect.any(String) });
  },
);

test.each([
  '/api',
  '/api/v1foo',
  '/api/v2/spaces',
  '/api/auth/ok',
  '/api/trpc/none',
  '/api/health',
])('%s answers data, which can load and run nothing', async (path) => {
  const headers = await headersOf(path);
  expect(headers.get('content-type')).toContain('application/json');
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('x-frame-options')).toBe('DENY');
});
