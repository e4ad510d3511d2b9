import { initialOf } from '@/src/ui/components/initial';

test.each([
  ['ada lovelace', 'A'],
  ['  noor', 'N'],
  ['🇩🇪 Team', '🇩🇪'],
  ['👩🏽‍🚀 Mae', '👩🏽‍🚀'],
  ['❤️ Shop', '❤️'],
  ['e\u0301lise', 'E\u0301'],
  ['한국', '한'],
  ['1⃣ Ltd', '1⃣'],
  ['\u202a+972 דוד\u202c', '+'],
  ['\u200f\u2067דוד\u2069', 'ד'],
  ['\ufeff\u200b noor', 'N'],
  ['\u2067\u2069', '?'],
  ['', '?'],
  ['  ', '?'],
])('the initial of %j is %s, whole', (name, initial) => {
  expect(initialOf(name)).toBe(initial);
});
