import { viewKeys } from '@/app/(dashboard)/api-keys/key-list';

const now = new Date('2026-01-15T10:00:00Z');

function key(name: string, fields: { enabled?: boolean; ends?: string; used?: string } = {}) {
  return {
    name,
    hint: `sk_live_…${name.slice(-4)}`,
    enabled: fields.enabled ?? true,
    expires_at: fields.ends ?? null,
    last_used_at: fields.used ?? null,
    created_at: '2026-01-01T00:00:00.000Z',
  };
}

const keys = [
  key('Website'),
  key('shop 10', { used: '2026-01-14T00:00:00.000Z' }),
  key('Shop 9', { ends: '2026-01-16T00:00:00.000Z' }),
  key('Old', { ends: '2026-01-14T00:00:00.000Z' }),
  key('Off', { enabled: false, used: '2026-01-15T00:00:00.000Z' }),
];

const all = { search: '', status: 'all', order: 'created' } as const;
const namesOf = (view: Partial<Parameters<typeof viewKeys>[1]>) =>
  viewKeys(keys, { ...all, ...view }, now).map(({ name }) => name);

test('keys are found by a part of their name in any case, or by what is shown of the key', () => {
  expect(namesOf({ search: ' SHOP ' })).toEqual(['shop 10', 'Shop 9']);
  expect(namesOf({ search: '…site' })).toEqual(['Website']);
  expect(namesOf({ search: 'nothing' })).toEqual([]);
});

test('a name is found however a keyboard writes its accents', () => {
  const cafes = ['Café'.normalize('NFC'), 'Café'.normalize('NFD')].map((name) => key(name));
  for (const search of ['CAFÉ'.normalize('NFC'), 'é'.normalize('NFD')]) {
    expect(viewKeys(cafes, { ...all, search }, now)).toHaveLength(2);
  }
});

test('keys are told apart by what they would be answered', () => {
  expect(namesOf({ status: 'active' })).toEqual(['Website', 'shop 10']);
  expect(namesOf({ status: 'ending' })).toEqual(['Shop 9']);
  expect(namesOf({ status: 'off' })).toEqual(['Old', 'Off']);
});

test('keys stand by name as people count, by use, and by what ends first', () => {
  expect(namesOf({ order: 'name' })).toEqual(['Off', 'Old', 'Shop 9', 'shop 10', 'Website']);
  expect(namesOf({ order: 'used' }).slice(0, 2)).toEqual(['Off', 'shop 10']);
  expect(namesOf({ order: 'expiry' }).slice(0, 2)).toEqual(['Old', 'Shop 9']);
});
