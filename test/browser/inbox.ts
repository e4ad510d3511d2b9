import type { Page, Route } from 'playwright-core';
import { eventually } from './eventually';
import { createKey, type Setting, signUp } from './setting';

/** A testimonial in the inbox, by whose it is. */
export const row = (page: Page, name: string) => page.getByRole('article', { name, exact: true });

/** The REST API of the setting's service, with a key. Gives the parsed body of an answer. */
export function apiOf({ service }: Setting, key: string) {
  return async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(`${service.url}/api/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await answer.text();
    return text ? JSON.parse(text) : undefined;
  };
}

/** An account in the setting's window, and the API by a key with every scope. */
export async function signUpWithKey(setting: Setting, keyName: string) {
  await signUp(setting.page, 'ada@example.com');
  return apiOf(setting, await createKey(setting.page, keyName));
}

/** An account in the setting's window that has a space, and the API by a key with every scope. */
export async function signUpWithSpace(setting: Setting, keyName: string) {
  const api = await signUpWithKey(setting, keyName);
  const { data } = await api('POST', '/spaces', { name: 'Northwind' });
  return { api, spaceId: String(data.id) };
}

/** What somebody of this name writes. */
export const submissionOf = (spaceId: string, name: string) => ({
  space_id: spaceId,
  type: 'text',
  submitter_name: name,
  submitter_email: 'someone@northwind.example',
  text_content: `${name} says that it works.`,
});

/** Whether rows are asked for; counts are asked alike, without a cursor. */
export const areRows = (url: URL) =>
  url.pathname.includes('testimonials.list') && url.search.includes('cursor');

/** Keeps these requests, or `most` of them, from the service, or its answers from the page, until they are released. */
export async function hold(
  page: Page,
  kept: 'requests' | 'answers',
  what: RegExp | ((url: URL) => boolean),
  most = Number.POSITIVE_INFINITY,
) {
  const held: (() => Promise<void>)[] = [];
  let count = 0;
  const keep = async (route: Route) => {
    count += 1;
    if (count > most) return route.fallback();
    if (kept === 'requests') return void held.push(() => route.continue());
    const response = await route.fetch();
    held.push(() => route.fulfill({ response }));
  };
  await page.route(what, keep);
  return {
    /** Resolves once one is held. */
    isHeld: () => eventually(async () => expect(held).not.toEqual([])),
    async release() {
      await page.unroute(what, keep);
      // The page may have given one up meanwhile.
      await Promise.allSettled(held.map((pass) => pass()));
    },
  };
}
