import { asksForStrictHandling } from '@/src/rest/prefer';

test.each([
  'handling=strict',
  'Handling=strict',
  'handling="strict"',
  'handling = strict',
  'handling=strict; why=test',
  'return=minimal, handling=strict',
  'respond-async,,handling=strict , wait=10',
  'foo="a, handling=lenient", handling=strict',
  'foo="\\", handling=lenient", handling=strict',
  'handling=strict, handling=lenient',
  'foo; bar="x;y,z", handling=strict;q',
])('%s asks for it', (header) => {
  expect(asksForStrictHandling(header)).toBe(true);
});

test.each([
  '',
  null,
  undefined,
  'handling',
  'handling=',
  'handling=lenient',
  'handling=lenient, handling=strict',
  'handling=STRICT',
  'handling=strictly',
  'handling=strict x',
  'x-handling=strict',
  'foo="handling=strict"',
  'foo="a, handling=strict"',
  'foo; handling=strict',
  'handling="strict',
  'strict',
])('%s does not', (header) => {
  expect(asksForStrictHandling(header)).toBe(false);
});

test('a header of more than 1,000 characters is not looked into', () => {
  expect(asksForStrictHandling(`handling=strict;${'x'.repeat(984)}`)).toBe(true);
  expect(asksForStrictHandling(`handling=strict;${'x'.repeat(985)}`)).toBe(false);
});
