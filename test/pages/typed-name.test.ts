import { isTypedName } from '@/app/(dashboard)/spaces/typed-name';

test.each([
  ['as it is', 'Lumen', 'Lumen'],
  ['several spaces as one', 'Lumen  Desk', 'Lumen Desk'],
  ['a space that does not break, a tab and a line end', 'A\u00a0B\tC\nD', 'A B C D'],
  ['an accent of its own', 'e\u0301te\u0301', '\u00e9t\u00e9'],
  ['marks of direction', '\u202eLumen\u202c\u200f', 'Lumen'],
  ['a space of no width and a soft hyphen', 'Lu\u200bmen\u00adDesk', 'LumenDesk'],
  ['an emoji without what joins it', '\u2764\ufe0f Desk', '\u2764 Desk'],
  ['what stands for a name that nobody sees', '\u200b', 'Unnamed'],
])('the name of a space is typed: %s', (_, name, typed) => {
  expect(isTypedName(typed, name)).toBe(true);
});

test.each([
  ['another name', 'Lumen', 'Lumens'],
  ['a part of it', 'Lumen Desk', 'Lumen'],
  ['without its space', 'Lumen Desk', 'LumenDesk'],
  ['in other letters', 'Lumen', 'lumen'],
  ['nothing', 'Lumen', ' '],
  ['nothing, of a name that nobody sees', '\u200b', ''],
])('the name of a space is not typed: %s', (_, name, typed) => {
  expect(isTypedName(typed, name)).toBe(false);
});
