import { shownName } from '@/src/ui/components/shown-name';

test.each([
  ['white space', ' \t\u00a0\u3000'],
  ['spaces of no width, and a soft hyphen', '\u200b\u2060\ufeff\u00ad'],
  ['marks of direction', '\u202e\u200f'],
  ['letters that are blank', '\u3164\u115f\u2800'],
  ['a variation of nothing', '\ufe0f'],
])('a name of which nobody sees anything is shown as "Unnamed": %s', (_, name) => {
  expect(shownName(name)).toBe('Unnamed');
});

test.each(['Northwind', '\u202eLumen', '.', '\u2764\ufe0f', ' a '])('%j stays', (name) => {
  expect(shownName(name)).toBe(name);
});
