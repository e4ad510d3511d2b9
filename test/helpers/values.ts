/** Values that the contract's formats accept and refuse, with the name of what each shows. */

export const acceptedUuids = [
  ['version 1', '2f6e6d3a-1c1b-11ef-8b5d-0242ac120002'],
  ['version 2', '000003e8-1c1b-21ef-9b00-325096b39f47'],
  ['version 3', '3d813cbb-47fb-32ba-91df-831e1593ac29'],
  ['version 4', '7f0c1a52-3c1e-4a86-9d0f-0a3d1c5b7e21'],
  ['version 5', '21f7f8de-8051-5b89-8680-0195ef798b6a'],
  ['version 6', '1ef1c1b2-f6e6-6d3a-8b5d-0242ac120002'],
  ['version 7', '018fa6a0-9d2b-7c3e-8a41-5f6e7d8c9b0a'],
  ['version 8', '00112233-4455-8677-8899-aabbccddeeff'],
  ['variant a', '7f0c1a52-3c1e-4a86-ad0f-0a3d1c5b7e21'],
  ['variant b', '7f0c1a52-3c1e-4a86-bd0f-0a3d1c5b7e21'],
  ['upper case', '7F0C1A52-3C1E-4A86-9D0F-0A3D1C5B7E21'],
  ['all zero', '00000000-0000-0000-0000-000000000000'],
  ['all f', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
  ['all f in upper case', 'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF'],
] as const;

export const refusedUuids = [
  ['version 0', '7f0c1a52-3c1e-0a86-9d0f-0a3d1c5b7e21'],
  ['version 9', '7f0c1a52-3c1e-9a86-9d0f-0a3d1c5b7e21'],
  ['variant 7', '7f0c1a52-3c1e-4a86-7d0f-0a3d1c5b7e21'],
  ['variant c', '7f0c1a52-3c1e-4a86-cd0f-0a3d1c5b7e21'],
  ['all one', '11111111-1111-1111-1111-111111111111'],
  ['all zero but the last digit', '00000000-0000-0000-0000-000000000001'],
  ['no hyphens', '7f0c1a523c1e4a869d0f0a3d1c5b7e21'],
  ['a digit short', '7f0c1a52-3c1e-4a86-9d0f-0a3d1c5b7e2'],
  ['a digit long', '7f0c1a52-3c1e-4a86-9d0f-0a3d1c5b7e211'],
  ['no hex digit', '7f0c1a52-3c1e-4a86-9d0f-0a3d1c5b7e2g'],
  ['braces', '{7f0c1a52-3c1e-4a86-9d0f-0a3d1c5b7e21}'],
  ['a number', '12345'],
  ['a word', 'not-a-uuid'],
] as const;

export const acceptedUris = [
  'https://example.com',
  'http://example.com:8080/a/b.mp4?c=d&e=%20#f',
  'https://user@example.com/',
  'https://[2001:db8::1]/logo.png',
  'ftp://example.com/a.png',
];

export const refusedUris = [
  '',
  'https://example.com/'.padEnd(2049, 'a'),
  'example.com',
  '/logo.png',
  '//example.com/logo.png',
  'not a url',
  'https://',
  'https://exa mple.com',
  'https://example.com:99999',
  ' https://example.com',
  'https://example.com/a b',
  'https://example.com/\n',
];

/** Of no field's type, where that is a string. */
export const notStrings = [5, true, null, ['a'], { a: 1 }];

/** Postgres text holds neither. */
export const notStorable = ['a\0b', 'half \ud83d'];

/** One character, two UTF-16 units, four bytes. */
export const emoji = '😀';

/** Query parameters of every list that are refused, as they stand in the address. */
export const refusedPages = [
  'limit=0',
  'limit=101',
  'limit=-1',
  'limit=',
  'limit=ten',
  'limit=1.5',
  'limit=1e1',
  'limit=0x2',
  'limit=%201',
  'limit=%2B1',
  'limit=99999999999999999999',
  'limit=1&limit=2',
  'offset=-1',
  'offset=',
  'offset=1.0',
  'offset=99999999999999999999',
  'sort_by=',
  'sort_by=submitter_name',
  'sort_by=CREATED_AT',
  'sort_by=id',
  'sort_by=created_at&sort_by=rating',
  'sort_order=',
  'sort_order=ASC',
  'sort_order=descending',
];

const oneUuid = acceptedUuids[3][1];

/** `testimonial_ids` that are refused. Contract, section 8. */
export const refusedBatchIds: [string, unknown][] = [
  ['no ids', undefined],
  ['null', null],
  ['0 ids', []],
  ['101 ids', Array(101).fill(oneUuid)],
  ['an id alone', oneUuid],
  ['ids in one string', `${oneUuid},${oneUuid}`],
  ['an object', { 0: oneUuid }],
  ['null among the ids', [oneUuid, null]],
  ['a number among the ids', [oneUuid, 5]],
  ['an array among the ids', [[oneUuid]]],
  ...refusedUuids.map(([name, id]): [string, unknown] => [`an id with ${name}`, [oneUuid, id]]),
];

export const refusedColors = [
  '',
  '1A73E8',
  '#1A73E',
  '#1A73E88',
  '#1A73E8FF',
  '#FFF',
  '#GGGGGG',
  ' #1A73E8',
  '#1A73E8 ',
  '#1A73E8\n',
  'red',
  'rgb(0,0,0)',
];

export const refusedQuestions = [
  null,
  [''],
  ['q'.repeat(501)],
  Array(101).fill('One?'),
  'One?',
  '["One?"]',
  {},
  { 0: 'One?' },
  5,
  true,
  [5],
  [null],
  ['One?', true],
  [['One?']],
  [{ question: 'One?' }],
  ['a\0b'],
  ['half \ud83d'],
];
