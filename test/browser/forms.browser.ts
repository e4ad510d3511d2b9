import type { Locator } from 'playwright-core';
import { modeHeader } from '@/src/mode';
import { apiOf } from './inbox';
import { createKey, openSetting, type Setting, signUp } from './setting';

let setting: Setting;
let api: ReturnType<typeof apiOf>;

beforeAll(async () => {
  setting = await openSetting();
  await signUp(setting.page, 'ada@example.com');
  api = apiOf(setting, await createKey(setting.page, 'Website'));
});

afterAll(() => setting?.close());

const dialog = () => setting.page.getByRole('dialog');
const inDialog = (name: string) => dialog().getByRole('button', { name, exact: true });

/** Two clicks, the second before the page can have changed because of the first. */
const clickTwice = (button: Locator) =>
  button.evaluate((element: HTMLElement) => {
    element.click();
    element.click();
  });

/** What a procedure answers the person in another tab. */
async function elsewhere<Answer>(procedure: string, input: unknown, method = 'POST') {
  const answer = await setting.page.evaluate(
    async ([path, text, verb, header]) => {
      const isRead = verb === 'GET';
      const query = isRead ? `?input=${encodeURIComponent(text)}` : '';
      const mode = document.querySelector('[data-mode]')?.getAttribute('data-mode') ?? '';
      const response = await fetch(`/api/trpc/${path}${query}`, {
        method: verb,
        headers: { 'Content-Type': 'application/json', [header]: mode },
        ...(!isRead && { body: text }),
      });
      return response.json();
    },
    [procedure, JSON.stringify(input), method, modeHeader] as const,
  );
  return (answer as { result: { data: Answer } }).result.data;
}

type Named = { id: string; name: string };

const read = <Answer>(procedure: string, input: unknown = {}) =>
  elsewhere<Answer>(procedure, input, 'GET');

async function keysCalled(name: string) {
  const keys =
    await read<(Named & { scopes: string[]; expires_at: string | null })[]>('apiKeys.list');
  return keys.filter((key) => key.name === name);
}

async function open(path: string): Promise<void> {
  await setting.page.goto(path, { waitUntil: 'networkidle' });
}

async function choose(name: string, action: string): Promise<void> {
  const { page } = setting;
  await page
    .getByRole('button', { name: `Actions for ${name}` })
    .first()
    .click();
  await page.getByRole('menuitem', { name: action }).click();
  await dialog().waitFor();
}

describe('two clicks on a button do once what one does', () => {
  test('a key is made, and rotated', async () => {
    const { page } = setting;
    await open('/api-keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    await dialog().getByLabel('Name', { exact: true }).fill('Shop');
    await clickTwice(inDialog('Create key'));
    await inDialog('Done').click();
    expect(await keysCalled('Shop')).toHaveLength(1);
    await choose('Shop', 'Rotate');
    await clickTwice(inDialog('Rotate key'));
    await inDialog('Done').click();
    expect(await keysCalled('Shop')).toHaveLength(2);
  });

  test('a space is made', async () => {
    const { page } = setting;
    await open('/spaces');
    await page.getByRole('button', { name: 'Create space' }).click();
    await dialog().getByLabel('Name').fill('Northwind');
    await clickTwice(inDialog('Create space'));
    await dialog().waitFor({ state: 'detached' });
    expect((await api('GET', '/spaces')).pagination.total).toBe(1);
  });

  test('an endpoint is made, its secret rotated, and a test sent', async () => {
    const { page } = setting;
    await open('/webhooks');
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    await dialog().getByLabel('URL').fill('http://127.0.0.1:59999/');
    await clickTwice(inDialog('Add endpoint'));
    await inDialog('Done').click();
    const [endpoint, ...others] = await read<Named[]>('webhooks.endpoints.list');
    expect(others).toEqual([]);
    await page.getByRole('link', { name: 'http://127.0.0.1:59999/' }).click();
    await choose('this endpoint', 'Rotate');
    await clickTwice(inDialog('Rotate secret'));
    await inDialog('Done').click();
    await page.getByRole('button', { name: 'Send test' }).click();
    await clickTwice(inDialog('Send'));
    await page.getByRole('dialog', { name: 'Delivery' }).waitFor();
    const log = await read<{ data: unknown[] }>('webhooks.deliveries.list', {
      endpoint_id: endpoint?.id,
    });
    expect(log.data).toHaveLength(1);
    const changes = await read<{ data: { action: string }[] }>('audit.list', {
      subject_id: endpoint?.id,
    });
    expect(changes.data.filter(({ action }) => action.includes('rotated'))).toHaveLength(1);
  });

  test('samples are added', async () => {
    const { page } = setting;
    await open('/spaces');
    await page.getByRole('switch', { name: 'Test mode' }).click();
    const band = page.getByRole('region', { name: 'Test mode', exact: true });
    await band.waitFor();
    await page.waitForLoadState('networkidle');
    await clickTwice(band.getByRole('button', { name: 'Add samples' }));
    await band.getByText('12 samples are in the inbox').waitFor();
    const kept = await read<{ pagination: { total: number } }>('testimonials.list');
    expect(kept.pagination.total).toBe(12);
    await band.getByRole('button', { name: 'Leave test mode' }).click();
    await band.waitFor({ state: 'detached' });
  });
});
