import type { Page, Request, Route } from 'playwright-core';
import { eventually } from './eventually';
import { nowhere } from './receiver';
import { createEndpoint, openSetting, type Setting, signUp } from './setting';
import { listens, visit } from './visit';

let setting: Setting;

beforeAll(async () => {
  setting = await openSetting();
  await signUp(setting.page, 'ada@example.com');
});

afterAll(() => setting?.close());

const hasTitle = (page: Page, title: string) =>
  eventually(async () => expect(await page.title()).toBe(title));

test('the page of an endpoint has its host or description as its title, also gone to, back from and changed', async () => {
  const { page } = setting;
  const first = await createEndpoint(page, 'https://example.com/orders');
  await hasTitle(page, 'example.com · Webhook endpoint · Testimonials');
  await createEndpoint(page, `${nowhere}news`);
  await hasTitle(page, `${new URL(nowhere).host} · Webhook endpoint · Testimonials`);
  await visit(page, first);
  await hasTitle(page, 'example.com · Webhook endpoint · Testimonials');
  await page.getByRole('button', { name: 'Actions for this endpoint' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await page.getByLabel('Description').fill('All orders');
  await page.getByRole('button', { name: 'Save' }).click();
  await hasTitle(page, 'All orders · Webhook endpoint · Testimonials');
  await page.goBack();
  await hasTitle(page, `${new URL(nowhere).host} · Webhook endpoint · Testimonials`);
});

test('follows what is saved, where pages would come of a service that has no place, and so does the page', async () => {
  const { page } = setting;
  await createEndpoint(page, 'https://example.com/returns');
  await listens(page);
  const isAsked = (request: Request) =>
    request.resourceType() === 'document' || request.url().includes('_rsc=');
  const refuse = (route: Route) =>
    isAsked(route.request())
      ? route.fulfill({ status: 503, body: 'Service Unavailable' })
      : route.fallback();
  await page.route('**/*', refuse);
  await page.getByRole('button', { name: 'Actions for this endpoint' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await page.getByLabel('URL').fill('https://example.org/returns');
  await page.getByRole('button', { name: 'Save' }).click();
  await hasTitle(page, 'example.org · Webhook endpoint · Testimonials');
  await page.getByRole('heading', { name: 'https://example.org/returns' }).waitFor();
  await page.unroute('**/*', refuse);
});

test('that of one which is not there has none', async () => {
  const { page } = setting;
  await page.goto(`/webhooks/${crypto.randomUUID()}`);
  await page.getByRole('heading', { name: 'does not exist' }).waitFor();
  await hasTitle(page, 'Webhook endpoint · Testimonials');
});
