import { type Watch, watchBesides } from './browser';
import { elsewhere as callElsewhere } from './elsewhere';
import { type apiOf, signUpWithKey } from './inbox';
import { openSetting, type Setting } from './setting';
import { visit } from './visit';

let setting: Setting;
let api: ReturnType<typeof apiOf>;

beforeAll(async () => {
  setting = await openSetting();
  api = await signUpWithKey(setting, 'Website');
});

afterAll(() => setting?.close());

const dialog = () => setting.page.getByRole('dialog');

const press = (name: string) => dialog().getByRole('button', { name, exact: true }).click();

const warning = () => dialog().getByRole('alert').filter({ hasText: 'changed meanwhile' });

const isClosed = () => dialog().waitFor({ state: 'detached' });

/** As somebody else does, or the same person in another tab. */
const elsewhere = <Answer>(procedure: string, input: unknown, method?: string) =>
  callElsewhere<Answer>(setting.page, procedure, input, method);

/** By the test. */
const isDeleted = () => undefined;

const stored = (procedure: string, id: string) => elsewhere(procedure, { id }, 'GET');

/** Opens the form that changes what has this name, on its page. */
async function edit(path: string, name: string): Promise<void> {
  const { page } = setting;
  await visit(page, path);
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await dialog().waitFor();
}

describe('a space that two people change', () => {
  let id: string;

  beforeEach(async () => {
    const { data } = await api('POST', '/spaces', { name: 'Northwind', description: 'Desk' });
    id = data.id;
    await edit('/spaces', 'Northwind');
  });

  afterEach(() => api('DELETE', `/spaces/${id}`));

  test('is not replaced without a word: what the other made of it is told, and one saves again', async () => {
    const { inspect } = setting;
    await dialog().getByLabel('Name').fill('Northwind Ltd');
    await dialog().getByLabel('Colour (optional)').fill('#1A73E8');
    await press('Add a question');
    await dialog().getByLabel('Question 1', { exact: true }).fill('Who for?');
    await api('PATCH', `/spaces/${id}`, {
      name: 'Contoso',
      primary_color: '#00AA00',
      custom_questions: ['What changed?', 'Since when?'],
    });
    await press('Save');
    await warning().getByText('Contoso').waitFor();
    await warning().getByText('#00AA00').waitFor();
    await warning().getByText('1. What changed? 2. Since when?').waitFor();
    expect(await warning().getByText('Description').count()).toBe(0);
    await inspect('space-changed-meanwhile');
    expect((await api('GET', `/spaces/${id}`)).data.name).toBe('Contoso');
    expect(await dialog().getByLabel('Name').inputValue()).toBe('Northwind Ltd');
    await press('Save');
    await isClosed();
    expect((await api('GET', `/spaces/${id}`)).data).toMatchObject({
      name: 'Northwind Ltd',
      primary_color: '#1A73E8',
      custom_questions: ['Who for?'],
    });
  });

  test('stays as the other made it where one cancels, who then sees it', async () => {
    const { page } = setting;
    await dialog().getByLabel('Name').fill('Northwind Ltd');
    await api('PATCH', `/spaces/${id}`, { name: 'Contoso' });
    await press('Save');
    await warning().getByText('Contoso').waitFor();
    await press('Cancel');
    await isClosed();
    await page.getByRole('link', { name: 'Contoso' }).waitFor();
  });

  test('is saved where both made the same of it, or changed other things', async () => {
    await dialog().getByLabel('Name').fill('Contoso');
    await dialog().getByLabel('Description').fill('Our desk');
    await api('PATCH', `/spaces/${id}`, { name: 'Contoso', primary_color: '#00AA00' });
    await press('Save');
    await isClosed();
    expect((await api('GET', `/spaces/${id}`)).data).toMatchObject({
      name: 'Contoso',
      description: 'Our desk',
      primary_color: '#00AA00',
    });
  });
});

describe('a key that two people change', () => {
  let id: string;

  beforeEach(async () => {
    const key = await elsewhere<{ id: string }>('apiKeys.create', {
      name: 'Import',
      scopes: ['read', 'write'],
    });
    id = key.id;
    await edit('/api-keys', 'Import');
  });

  afterEach(() => elsewhere('apiKeys.delete', { id }).catch(isDeleted));

  test('is given no scope back that the other took from it, until one has been told', async () => {
    const { inspect } = setting;
    await dialog().getByLabel('Name', { exact: true }).fill('Importer');
    await dialog().getByText('Full', { exact: true }).click();
    await elsewhere('apiKeys.update', { id, name: 'Reader', scopes: ['read'] });
    await press('Save');
    await warning().getByText('Reader').waitFor();
    await warning().getByText('read', { exact: true }).waitFor();
    await inspect('key-changed-meanwhile');
    expect(await stored('apiKeys.get', id)).toMatchObject({ name: 'Reader', scopes: ['read'] });
    await press('Save');
    await isClosed();
    expect(await stored('apiKeys.get', id)).toMatchObject({
      name: 'Importer',
      scopes: ['read', 'write', 'delete'],
    });
  });

  test('does not outlive the end that a rotation gave it, until one has been told', async () => {
    await dialog().getByLabel('Expires').selectOption('90');
    const { id: successor } = await elsewhere<{ id: string }>('apiKeys.rotate', {
      id,
      overlap_hours: 0,
    });
    const rotated = await stored('apiKeys.get', id);
    await press('Save');
    await warning().getByText('Expires').waitFor();
    expect(await stored('apiKeys.get', id)).toEqual(rotated);
    await elsewhere('apiKeys.delete', { id: successor });
  });

  test('is said to be switched off where that is what the other did', async () => {
    const { page } = setting;
    await dialog().getByLabel('Name', { exact: true }).fill('Importer');
    await elsewhere('apiKeys.update', { id, enabled: false });
    await press('Save');
    await isClosed();
    const row = page.getByRole('row').filter({ hasText: 'Importer' });
    await row.getByText('Off', { exact: true }).waitFor();
  });

  test('and revokes is not saved: the form says that it was deleted, and the list has it no more', async () => {
    const { page } = setting;
    await dialog().getByLabel('Name', { exact: true }).fill('Importer');
    await elsewhere('apiKeys.delete', { id });
    await press('Save');
    await dialog().getByRole('alert').getByText('This key was deleted meanwhile').waitFor();
    await page.locator('tr').filter({ hasText: 'Import' }).waitFor({ state: 'detached' });
  });
});

describe('an endpoint that two people change', () => {
  let id: string;

  beforeEach(async () => {
    const endpoint = await elsewhere<{ id: string }>('webhooks.endpoints.create', {
      url: 'http://127.0.0.1:18998/',
      description: 'Rebuilds',
      event_types: ['testimonial.created'],
    });
    id = endpoint.id;
    await edit(`/webhooks/${id}`, 'this endpoint');
  });

  afterEach(() => elsewhere('webhooks.endpoints.delete', { id }).catch(isDeleted));

  test('is not sent elsewhere without a word, also once the page behind the form knows', async () => {
    const { page, inspect } = setting;
    await dialog().getByLabel('URL').fill('http://127.0.0.1:18997/');
    await dialog().getByLabel('Description').fill('Rebuilds the site');
    await dialog().getByLabel('testimonial.deleted').check();
    await elsewhere('webhooks.endpoints.update', {
      id,
      url: 'http://127.0.0.1:18996/',
      description: null,
      event_types: ['space.created', 'space.deleted'],
    });
    await page.getByText('space.created, space.deleted').first().waitFor();
    await press('Save');
    await warning().getByText('http://127.0.0.1:18996/').waitFor();
    await warning().getByText('Description: nothing').waitFor();
    await warning().getByText('space.created, space.deleted').waitFor();
    await inspect('endpoint-changed-meanwhile');
    expect(await stored('webhooks.endpoints.get', id)).toMatchObject({ description: null });
    await press('Save');
    await isClosed();
    expect(await stored('webhooks.endpoints.get', id)).toMatchObject({
      url: 'http://127.0.0.1:18997/',
      description: 'Rebuilds the site',
      event_types: ['testimonial.created', 'testimonial.deleted'],
    });
  });

  test('and deletes is said to be deleted where one saves', async () => {
    const { page } = setting;
    await dialog().getByLabel('Description').fill('Rebuilds the site');
    await elsewhere('webhooks.endpoints.delete', { id });
    await press('Save');
    await page.getByRole('heading', { name: 'This endpoint was deleted' }).waitFor();
  });
});

test('axe found nothing serious, and nothing is wider than a telephone', () => {
  expect(setting.obstacles).toEqual([]);
});

test('no page asked another host for anything, or complained', () => {
  // The browser's own words for what was deleted.
  const watch: Watch = watchBesides('status of 404', setting.watch);
  expect(watch).toEqual({ foreign: [], complaints: [] });
});
