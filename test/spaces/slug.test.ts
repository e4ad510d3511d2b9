import { randomBytes } from 'node:crypto';
import { slugify } from '@/src/spaces/slug';
import { createKey, createTenant, type Tenant } from '../helpers/accounts';
import { client } from '../helpers/client';
import { signUpInTestMode } from '../helpers/test-mode';

describe('the slug of a name', () => {
  test.each([
    ['Northwind', 'northwind'],
    ['Northwind Support', 'northwind-support'],
    ['  Many   -- kinds_of.blanks!  ', 'many-kinds-of-blanks'],
    ['Crème Brûlée Zürich', 'creme-brulee-zurich'],
    ['24/7', '24-7'],
    ['ﬁve №5', 'five-no5'],
    ['Тест', 'space'],
    ['日本', 'space'],
    ['😀', 'space'],
    [' ', 'space'],
    ['---', 'space'],
    ['a/../b?c=d#e', 'a-b-c-d-e'],
    ['n'.repeat(100), 'n'.repeat(60)],
    [`${'n'.repeat(59)} more`, 'n'.repeat(59)],
    ['ẞ Straße Łódź Øre', 'ss-strasse-lodz-ore'],
  ])('"%s" is %s', (name, slug) => {
    expect(slugify(name)).toBe(slug);
  });
});

describe('the slug of a space', () => {
  let tenant: Tenant;
  let unique: string;

  beforeAll(async () => {
    tenant = await createTenant();
  });

  beforeEach(() => {
    unique = randomBytes(6).toString('hex');
  });

  test("is the name's where that is free", async () => {
    expect((await tenant.space({ name: `Brand ${unique}` })).slug).toBe(`brand-${unique}`);
  });

  test('has a suffix where that is taken, also by another account', async () => {
    const other = await createTenant();
    const name = `Brand ${unique}`;
    const slugs = [];
    for (const owner of [tenant, tenant, other]) slugs.push((await owner.space({ name })).slug);
    expect(slugs[0]).toBe(`brand-${unique}`);
    for (const slug of slugs.slice(1)) expect(slug).toMatch(`brand-${unique}-`);
    for (const slug of slugs) expect(slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(new Set(slugs).size).toBe(3);
  });

  test('in test mode has a suffix always, and is left to the space that is made for good', async () => {
    const { test: shown } = await signUpInTestMode();
    const api = client(await createKey(shown.accountId));
    const name = `Brand ${unique}`;
    expect((await api.post('/spaces', { name })).body.data.slug).toMatch(`brand-${unique}-`);
    expect((await tenant.space({ name })).slug).toBe(`brand-${unique}`);
  });

  test('is unique also where many spaces of one name are created at once', async () => {
    const spaces = await Promise.all(
      Array.from({ length: 8 }, () => tenant.space({ name: `Rush ${unique}` })),
    );
    expect(new Set(spaces.map(({ slug }) => slug)).size).toBe(8);
  });

  test('stays through a rename, and stays taken', async () => {
    const { id, slug } = await tenant.space({ name: `Old ${unique}` });
    const { body } = await tenant.api.patch(`/spaces/${id}`, { name: `New ${unique}` });
    expect(body.data).toMatchObject({ name: `New ${unique}`, slug });
    expect((await tenant.space({ name: `Old ${unique}` })).slug).not.toBe(slug);
    expect((await tenant.space({ name: `New ${unique}` })).slug).toBe(`new-${unique}`);
  });

  test('is free again once the space is deleted', async () => {
    const name = `Gone ${unique}`;
    const { id, slug } = await tenant.space({ name });
    await tenant.api.delete(`/spaces/${id}`);
    expect((await tenant.space({ name })).slug).toBe(slug);
  });
});
