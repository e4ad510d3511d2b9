import { type apiOf, row, signUpWithSpace } from './inbox';
import { nowhere } from './receiver';
import { openSetting, type Setting } from './setting';
import { visit } from './visit';

/** As a form of another site, a file or another system sends them; no field of a browser holds them so. */
const lines = 'One\r\nTwo\rThree ';
const oneLine = 'Head\nof support';

let setting: Setting;
let api: ReturnType<typeof apiOf>;
let spaceId: string;

/** The calls that change something, as the page made them. */
const changes: string[] = [];

beforeAll(async () => {
  setting = await openSetting();
  ({ api, spaceId } = await signUpWithSpace(setting, 'Import'));
  setting.page.on('request', (request) => {
    const procedure = /\/api\/trpc\/(\w+(?:\.\w+)*\.update)\b/.exec(request.url())?.[1];
    if (procedure) changes.push(`${procedure} ${request.postData()}`);
  });
});

afterAll(() => setting?.close());

beforeEach(() => {
  changes.length = 0;
});

const dialog = () => setting.page.getByRole('dialog');

async function press(name: string): Promise<void> {
  await dialog().getByRole('button', { name, exact: true }).click();
  await dialog().waitFor({ state: 'detached' });
}

async function edit(path: string, label: string): Promise<void> {
  const { page } = setting;
  await visit(page, path);
  await page.getByRole('button', { name: `Actions for ${label}` }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
}

describe('what a form cannot hold as it is stored is left so, unless it is changed', () => {
  test.each(['Approve', 'Save', 'Cancel'])('by “%s” of a testimonial', async (button) => {
    const { page } = setting;
    const name = `Ada ${button}`;
    const { data } = await api('POST', '/testimonials', {
      space_id: spaceId,
      type: 'text',
      submitter_name: name,
      submitter_email: 'ada@northwind.example',
      submitter_role: oneLine,
      text_content: lines,
    });
    await visit(page, '/testimonials');
    await row(page, name)
      .getByRole('button', { name: `Open ${name}` })
      .click();
    await press(button);
    expect(changes).toEqual([]);
    expect((await api('GET', `/testimonials/${data.id}`)).data).toMatchObject({
      submitter_role: oneLine,
      text_content: lines,
    });
  });

  test('and what is changed beside it is sent alone', async () => {
    const { page } = setting;
    await visit(page, '/testimonials?status=all');
    await row(page, 'Ada Save').getByRole('button', { name: 'Open Ada Save' }).click();
    await dialog().getByLabel('Rating').selectOption('4');
    await dialog().getByLabel('Company').fill('Northwind');
    await press('Save');
    const { data } = await api('GET', '/testimonials?search=three');
    const changed = data.find((one: { rating: number | null }) => one.rating !== null);
    expect(changed).toMatchObject({
      rating: 4,
      submitter_company: 'Northwind',
      submitter_role: oneLine,
      text_content: lines,
    });
  });

  test('of a space', async () => {
    const fields = { name: 'Fabrikam', description: lines, custom_questions: [' Why? ', oneLine] };
    const { data } = await api('POST', '/spaces', fields);
    await edit('/spaces', 'Fabrikam');
    await press('Save');
    expect(changes).toEqual([]);
    await edit('/spaces', 'Fabrikam');
    await dialog().getByLabel('Name').fill('Contoso');
    await press('Save');
    expect((await api('GET', `/spaces/${data.id}`)).data).toMatchObject({
      ...fields,
      name: 'Contoso',
    });
  });

  test('of an endpoint', async () => {
    const { data } = await api('POST', '/webhook-endpoints', {
      url: nowhere,
      description: oneLine,
      event_types: ['testimonial.created'],
    });
    await edit(`/webhooks/${data.id}`, 'this endpoint');
    await press('Save');
    expect(changes).toEqual([]);
    await edit(`/webhooks/${data.id}`, 'this endpoint');
    await dialog().getByLabel('testimonial.deleted').check();
    await press('Save');
    expect((await api('GET', `/webhook-endpoints/${data.id}`)).data).toMatchObject({
      description: oneLine,
      event_types: ['testimonial.created', 'testimonial.deleted'],
    });
  });
});

test('no page asked another host for anything, or complained', () => {
  expect(setting.watch).toEqual({ foreign: [], complaints: [] });
});
