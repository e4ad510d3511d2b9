import type { Locator } from 'playwright-core';
import { elsewhere as callElsewhere } from './elsewhere';
import { type apiOf, signUpWithKey } from './inbox';
import { nowhere } from './receiver';
import { createKey, openSetting, type Setting } from './setting';
import { listens, visit } from './visit';

let setting: Setting;
let api: ReturnType<typeof apiOf>;

beforeAll(async () => {
  setting = await openSetting();
  api = await signUpWithKey(setting, 'Website');
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
const elsewhere = <Answer>(procedure: string, input: unknown, method?: string) =>
  callElsewhere<Answer>(setting.page, procedure, input, method);

type Named = { id: string; name: string };

const read = <Answer>(procedure: string, input: unknown = {}) =>
  elsewhere<Answer>(procedure, input, 'GET');

async function keysCalled(name: string) {
  const keys =
    await read<(Named & { scopes: string[]; expires_at: string | null })[]>('apiKeys.list');
  return keys.filter((key) => key.name === name);
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
    await visit(setting.page, '/api-keys');
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
    await visit(setting.page, '/spaces');
    await page.getByRole('button', { name: 'Create space' }).click();
    await dialog().getByLabel('Name').fill('Northwind');
    await clickTwice(inDialog('Create space'));
    await dialog().waitFor({ state: 'detached' });
    expect((await api('GET', '/spaces')).pagination.total).toBe(1);
  });

  test('an endpoint is made, its secret rotated, and a test sent', async () => {
    const { page } = setting;
    await visit(setting.page, '/webhooks');
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    await dialog().getByLabel('URL').fill(nowhere);
    await clickTwice(inDialog('Add endpoint'));
    await inDialog('Done').click();
    const [endpoint, ...others] = await read<Named[]>('webhooks.endpoints.list');
    expect(others).toEqual([]);
    await page.getByRole('link', { name: nowhere }).click();
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
    await visit(setting.page, '/spaces');
    await page.getByRole('switch', { name: 'Test mode' }).click();
    const band = page.getByRole('region', { name: 'Test mode', exact: true });
    await band.waitFor();
    await listens(page);
    await clickTwice(band.getByRole('button', { name: 'Add samples' }));
    await band.getByText('12 samples were added to the inbox').waitFor();
    const kept = await read<{ pagination: { total: number } }>('testimonials.list');
    expect(kept.pagination.total).toBe(12);
    await band.getByRole('button', { name: 'Leave test mode' }).click();
    await band.waitFor({ state: 'detached' });
  });
});

describe('a form changes what was changed in it, and nothing that was meanwhile in another tab', () => {
  test('of a key', async () => {
    await createKey(setting.page, 'Import');
    await choose('Import', 'Edit');
    const [key] = await keysCalled('Import');
    await elsewhere('apiKeys.update', { id: key?.id, scopes: ['read'] });
    await dialog().getByLabel('Name', { exact: true }).fill('Importer');
    await inDialog('Save').click();
    await dialog().waitFor({ state: 'detached' });
    expect(await keysCalled('Importer')).toMatchObject([{ id: key?.id, scopes: ['read'] }]);
  });

  test('of a space', async () => {
    const { data } = await api('POST', '/spaces', { name: 'Fabrikam', description: 'Old' });
    await visit(setting.page, '/spaces');
    await choose('Fabrikam', 'Edit');
    await api('PATCH', `/spaces/${data.id}`, { name: 'Contoso', custom_questions: ['Why?'] });
    await dialog().getByLabel('Description').fill('New');
    await inDialog('Save').click();
    await dialog().waitFor({ state: 'detached' });
    expect((await api('GET', `/spaces/${data.id}`)).data).toMatchObject({
      name: 'Contoso',
      description: 'New',
      custom_questions: ['Why?'],
    });
  });

  test('of an endpoint, also once the page knows of the other change', async () => {
    const { page } = setting;
    const made = await elsewhere<{ id: string }>('webhooks.endpoints.create', {
      url: 'http://127.0.0.1:18998/',
      description: 'Old',
      event_types: ['testimonial.created'],
    });
    await visit(setting.page, `/webhooks/${made.id}`);
    await choose('this endpoint', 'Edit');
    await elsewhere('webhooks.endpoints.update', { id: made.id, description: 'New' });
    await page.getByText('New', { exact: true }).first().waitFor();
    await dialog().getByLabel('testimonial.deleted').check();
    await inDialog('Save').click();
    await dialog().waitFor({ state: 'detached' });
    expect(await read('webhooks.endpoints.get', { id: made.id })).toMatchObject({
      description: 'New',
      event_types: ['testimonial.created', 'testimonial.deleted'],
    });
  });

  test('and one in which nothing was changed closes', async () => {
    await visit(setting.page, '/spaces');
    await choose('Northwind', 'Edit');
    await inDialog('Save').click();
    await dialog().waitFor({ state: 'detached' });
  });
});

/** What the browser says is wrong with the field, in place of sending it. */
const complaint = (label: string) =>
  dialog()
    .getByLabel(label, { exact: true })
    .evaluate((field: HTMLInputElement) => field.validationMessage);

test('the colour of a space, which cannot be removed, is asked for where it is cleared', async () => {
  const { page, inspect } = setting;
  await api('POST', '/spaces', { name: 'Tailspin', primary_color: '#1A73E8' });
  await visit(setting.page, '/spaces');
  await choose('Tailspin', 'Edit');
  await inspect('space-with-colour');
  await dialog().getByLabel('Colour', { exact: true }).fill('');
  await inDialog('Save').click();
  expect(await complaint('Colour')).not.toBe('');
  await inDialog('Cancel').click();
  await dialog().waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Tailspin' }).waitFor();
});

test('a day that no key can end on is said to be wrong in its field', async () => {
  const { page, watch } = setting;
  await visit(setting.page, '/api-keys');
  await page.getByRole('button', { name: 'Create key' }).click();
  await dialog().getByLabel('Name', { exact: true }).fill('Far');
  await dialog().getByLabel('Expires').selectOption('date');
  await dialog().getByLabel('Last day').fill('20270-01-15');
  await inDialog('Create key').click();
  expect(await complaint('Last day')).not.toBe('');
  await dialog().getByLabel('Last day').fill('9999-12-30');
  await inDialog('Create key').click();
  await inDialog('Done').click();
  expect(await keysCalled('Far')).toHaveLength(1);
  expect(watch.complaints).toEqual([]);
});

test('what is typed from right to left stands at the right of its field', async () => {
  const { page } = setting;
  const forms: { path: string; button: string; fields: string[] }[] = [
    { path: '/api-keys', button: 'Create key', fields: ['Name'] },
    { path: '/spaces', button: 'Create space', fields: ['Name', 'Description (optional)'] },
    { path: '/webhooks', button: 'Add endpoint', fields: ['Description (optional)'] },
  ];
  for (const { path, button, fields } of forms) {
    await visit(setting.page, path);
    await page.getByRole('button', { name: button }).click();
    for (const name of fields) {
      const field = dialog().getByLabel(name, { exact: true });
      await field.fill('خدمة ممتازة');
      const direction = await field.evaluate((element) => getComputedStyle(element).direction);
      expect({ path, name, direction }).toEqual({ path, name, direction: 'rtl' });
    }
  }
});
