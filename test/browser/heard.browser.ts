import { eventually } from './eventually';
import { heard, hears, listen } from './heard';
import { type apiOf, hold, signUpWithSpace } from './inbox';
import { type Receiver, startReceiver } from './receiver';
import { openSetting, type Setting } from './setting';
import { visit } from './visit';

let setting: Setting;
let api: ReturnType<typeof apiOf>;
let endpointPath: string;
let receiver: Receiver;

const deliveryOf = async (id: string | null) =>
  (await api('GET', `/webhook-deliveries/${id}`)).data;

beforeAll(async () => {
  [setting, receiver] = await Promise.all([openSetting(), startReceiver()]);
  receiver.answer = { status: 500 };
  ({ api } = await signUpWithSpace(setting, 'Website'));
  const { data } = await api('POST', '/webhook-endpoints', {
    url: receiver.url,
    event_types: ['testimonial.created'],
  });
  endpointPath = `/webhooks/${data.id}`;
  for (let count = 0; count < 2; count += 1) {
    const test = await api('POST', `/webhook-endpoints/${data.id}/test`);
    await eventually(async () => expect((await deliveryOf(test.data.id)).state).toBe('failed'));
  }
  await listen(setting.page);
});

afterAll(async () => {
  await setting?.close();
  await receiver?.close();
});

test('a table that is still read says nothing of its columns', async () => {
  const { page } = setting;
  await visit(page, '/account');
  await heard(page);
  const reading = await hold(page, 'answers', /\/spaces\?_rsc/);
  await page.getByRole('link', { name: 'Spaces' }).click();
  await page.getByRole('status', { name: 'Loading' }).waitFor();
  await reading.release();
  await page.getByRole('cell', { name: 'Northwind' }).first().waitFor();
  expect((await heard(page)).filter((words) => words.includes('Slug'))).toEqual([]);
});

describe('a sheet beside a log', () => {
  test('says which delivery it shows, after each step, and what becomes of it', async () => {
    const { page } = setting;
    await visit(page, endpointPath);
    await page.getByRole('button', { name: 'testimonial.created' }).first().click();
    await hears(page, 'testimonial.createdFailed');
    await page.keyboard.press('j');
    await hears(page, 'testimonial.createdFailed');
    receiver.answer = { status: 204 };
    await page.getByRole('button', { name: 'Resend' }).click();
    await hears(page, 'Succeeded');
    receiver.answer = { status: 500 };
  });

  test('says that a delivery failed again, also where nobody saw it pending in between', async () => {
    const { page } = setting;
    await visit(page, endpointPath);
    await page.getByRole('button', { name: 'testimonial.created' }).first().click();
    await page.getByRole('heading', { name: 'Attempts' }).waitFor();
    const id = new URL(page.url()).searchParams.get('delivery');
    await eventually(async () => expect((await deliveryOf(id)).state).toBe('failed'));
    const before = (await deliveryOf(id)).attempts.length;
    await page.getByText(`Attempt ${before} ·`).waitFor();
    await heard(page);
    const reading = await hold(page, 'requests', /deliveries\.get\b/);
    await page.getByRole('button', { name: 'Resend' }).click();
    await eventually(async () => {
      const { state, attempts } = await deliveryOf(id);
      expect([state, attempts.length]).toEqual(['failed', before + 1]);
    });
    await reading.release();
    await page.getByText(`Attempt ${before + 1} ·`).waitFor();
    await hears(page, 'Failed');
  });

  test('says which request it shows, after each step', async () => {
    const { page } = setting;
    await api('GET', '/spaces');
    await api('GET', '/me');
    await visit(page, '/requests');
    await eventually(async () =>
      expect(await page.getByRole('button', { name: 'GET /me' }).count()).toBe(1),
    );
    await page.getByRole('button', { name: 'GET /me' }).click();
    await hears(page, 'GET /me200');
    await page.keyboard.press('j');
    await hears(page, 'GET /spaces200');
  });
});

test('that a filter leaves nothing is heard', async () => {
  const { page } = setting;
  await visit(page, endpointPath);
  await page.getByRole('combobox', { name: 'State' }).selectOption('pending');
  await hears(page, 'No deliveries matchChoose another state or event to see more.');
  await visit(page, '/requests');
  await page.getByRole('combobox', { name: 'Status' }).selectOption('5xx');
  await hears(page, 'No request matchesChoose another status, route, key or time to see more.');
});

test('how many keys a filter leaves is heard', async () => {
  const { page } = setting;
  for (let count = 0; count < 10; count += 1) {
    await page.request.post('/api/trpc/apiKeys.create', {
      data: { name: `Shop ${count}`, scopes: ['read'] },
    });
  }
  await visit(page, '/api-keys');
  await heard(page);
  await page.getByRole('searchbox').fill('Shop');
  await hears(page, '10 of 11 keys');
});

test('that older rows have come is heard each time', async () => {
  const { page } = setting;
  for (let count = 0; count < 75; count += 1) await api('POST', '/spaces', { name: `S ${count}` });
  await visit(page, '/spaces');
  await heard(page);
  for (const rows of [50, 75]) {
    await page.getByRole('button', { name: 'Show older' }).click();
    await hears(page, 'Older ones are shown, above this button.');
    expect(await page.locator('tbody tr').count()).toBe(rows);
  }
});

test('what is refused of a field is heard where the field has the focus already', async () => {
  const { page } = setting;
  await visit(page, '/webhooks');
  await page.getByRole('button', { name: 'Add endpoint' }).click();
  await page.getByLabel('URL').fill('https://ada:secret@example.com/');
  await page.keyboard.press('Enter');
  expect(await hears(page, 'The URL must not contain a user name or password.')).toHaveLength(1);
  await visit(page, '/requests');
  await page.getByRole('textbox', { name: 'X-Request-Id' }).fill('abc');
  await page.keyboard.press('Enter');
  await hears(page, 'Paste the whole X-Request-Id: 36 characters.');
});

test('what goes with a space is heard in the dialog that asks', async () => {
  const { page } = setting;
  const { data } = await api('POST', '/spaces', { name: 'Fabrikam' });
  await api('POST', '/testimonials', {
    space_id: data.id,
    type: 'text',
    submitter_name: 'Ada',
    submitter_email: 'ada@example.com',
  });
  await visit(page, '/spaces');
  await page.getByRole('button', { name: 'Actions for Fabrikam' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await hears(page, '1 testimonial is deleted with it, and uploaded files too.');
});
