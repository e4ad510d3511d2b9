import { keep, readKept } from '@/src/ui/browser/web-storage';

/** As a browser has it, with room for so many. */
function newStorage() {
  const kept = new Map<string, string>();
  const storage = {
    room: Number.POSITIVE_INFINITY,
    kept,
    getItem: (name: string) => kept.get(name) ?? null,
    setItem(name: string, value: string) {
      if (kept.size >= storage.room) throw new DOMException('full', 'QuotaExceededError');
      kept.set(name, value);
    },
    removeItem: (name: string) => kept.delete(name),
  };
  return storage;
}

function openPage() {
  const stores = { sessionStorage: newStorage(), localStorage: newStorage() };
  Object.defineProperty(global, 'window', { value: stores, configurable: true });
  return stores;
}

/** With its setting, any use of the storage throws. */
function refuseStorage() {
  const refuse = () => {
    throw new DOMException('refused', 'SecurityError');
  };
  const window = Object.defineProperties(
    {},
    { sessionStorage: { get: refuse }, localStorage: { get: refuse } },
  );
  Object.defineProperty(global, 'window', { value: window, configurable: true });
}

afterEach(() => {
  Reflect.deleteProperty(global, 'window');
});

test('what is kept for the tab is not kept for the browser, and nothing more of it for null', () => {
  const { sessionStorage, localStorage } = openPage();
  keep('tab', 'mode', 'test');
  keep('browser', 'mode', 'live');
  expect([readKept('tab', 'mode'), readKept('browser', 'mode')]).toEqual(['test', 'live']);
  expect([...sessionStorage.kept, ...localStorage.kept]).toEqual([
    ['mode', 'test'],
    ['mode', 'live'],
  ]);
  keep('tab', 'mode', null);
  expect([readKept('tab', 'mode'), readKept('browser', 'mode')]).toEqual([null, 'live']);
  expect(sessionStorage.kept.size).toBe(0);
});

test('the page remembers what a browser refuses, of each name and for tab and browser apart', () => {
  refuseStorage();
  expect(readKept('tab', 'refused')).toBeNull();
  keep('tab', 'refused', 'one');
  expect([readKept('tab', 'refused'), readKept('browser', 'refused')]).toEqual(['one', null]);
  expect(readKept('tab', 'another')).toBeNull();
  keep('tab', 'refused', 'two');
  expect(readKept('tab', 'refused')).toBe('two');
  keep('tab', 'refused', null);
  expect(readKept('tab', 'refused')).toBeNull();
});

test('what found no room goes before what is stored, until there is room', () => {
  const { localStorage } = openPage();
  keep('browser', 'language', 'curl');
  localStorage.room = 0;
  keep('browser', 'language', 'python');
  expect(readKept('browser', 'language')).toBe('python');
  localStorage.room = 1;
  localStorage.kept.clear();
  keep('browser', 'language', 'node');
  localStorage.kept.set('language', 'by another tab');
  expect(readKept('browser', 'language')).toBe('by another tab');
});
