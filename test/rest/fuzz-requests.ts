import fc from 'fast-check';
import { sortKey } from '@/src/api/cursor';
import { eventTypes } from '@/src/outbox/event-types';
import { createSpaceInput, updateSpaceInput } from '@/src/spaces/schema';
import {
  createTestimonialInput,
  type ListTestimonialsInput,
  updateTestimonialInput,
} from '@/src/testimonials/schema';
import { createEndpointInput, updateEndpointInput } from '@/src/webhooks/schema';

/** Which row an id in a request names; which one that is, is known when the request is sent. */
export type Reference =
  | { to: 'own'; index: number }
  | { to: 'foreign' }
  | { to: 'missing' }
  | { to: 'nothing'; text: string };

type FuzzBody =
  | { form: 'object'; fields: Record<string, unknown>; spaceId: Reference; ids: Reference[] }
  | { form: 'text'; text: string };

/** A request before its ids are known. */
export type FuzzRequest = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  template: string;
  id: Reference;
  query: [name: string, value: string][];
  spaceId: Reference;
  body: FuzzBody;
};

/** Mostly the one, now and then the other. */
const mostly = <T, U>(usual: fc.Arbitrary<T>, rare: fc.Arbitrary<U>) =>
  fc.oneof({ weight: 20, arbitrary: usual }, { weight: 1, arbitrary: rare });

const sometimes = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

const reference: fc.Arbitrary<Reference> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ to: fc.constant('own' as const), index: fc.nat(9) }) },
  { weight: 2, arbitrary: fc.constant({ to: 'foreign' as const }) },
  { weight: 2, arbitrary: fc.constant({ to: 'missing' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({
      to: fc.constant('nothing' as const),
      text: fc.constantFrom('x', 'null', '0', '11111111-1111-9111-8111-111111111111', '%00', "'"),
    }),
  },
);

/** Anything that JSON can hold. */
const anything = fc.jsonValue({ maxDepth: 2 });

/** Every length and character, and those that cannot be stored. */
const anyText = fc.oneof(
  { weight: 10, arbitrary: fc.string({ unit: 'binary', maxLength: 120 }) },
  { weight: 10, arbitrary: fc.string({ unit: 'grapheme-ascii', maxLength: 12 }) },
  { weight: 4, arbitrary: fc.constantFrom('a\0b', '\ud800', 'x'.repeat(501), '\udc00\ud800') },
);

/** Short text in which searches hit, with the characters that mean something to LIKE. */
const searchable = fc.string({
  unit: fc.constantFrom('a', 'B', '%', '_', '\\', ' '),
  maxLength: 5,
});

const uri = mostly(
  fc.constantFrom('https://example.com/a.png', 'http://example.com:8080/b?c=d#e', 'urn:isbn:1'),
  fc.oneof(
    fc.constantFrom('', 'no uri', '//example.com/a', '/a.png'),
    // The service takes for a URI what a URL parser does, which is more than the format says.
    anything.filter((value) => typeof value !== 'string'),
  ),
);

const rating = mostly(
  fc.integer({ min: 1, max: 5 }),
  fc.oneof(fc.constantFrom<unknown>(0, 6, -1, 1.5, 1e21, '5', null, true, [3]), anything),
);

const type = mostly(fc.constantFrom('text', 'video'), anything);
const status = mostly(fc.constantFrom('pending', 'approved', 'rejected'), anything);
const shortText = mostly(fc.string({ unit: 'grapheme-ascii', maxLength: 100 }), anyText);

const fields = {
  type,
  status,
  submitter_name: mostly(
    fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 100 }),
    anyText,
  ),
  submitter_email: mostly(
    fc.constantFrom('ada@example.com', 'a.b+c@sub.example.org'),
    fc.oneof(fc.constantFrom('', 'ada', 'ada@', '@example.com', 'a b@example.com'), anything),
  ),
  submitter_company: shortText,
  submitter_role: shortText,
  submitter_avatar_url: uri,
  text_content: mostly(searchable, anyText),
  video_thumbnail_url: uri,
  rating,
  name: mostly(fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 100 }), anyText),
  description: mostly(fc.string({ maxLength: 500 }), anyText),
  logo_url: uri,
  primary_color: mostly(fc.constantFrom('#00ff00', '#ABCDEF'), fc.constantFrom('#fff', 'red', '')),
  custom_questions: mostly(
    fc.array(fc.string({ maxLength: 10 }), { maxLength: 3 }),
    fc.oneof(fc.array(anyText, { maxLength: 2 }), anything),
  ),
  // Addresses, so that no name is looked up; what a URL may not be is tested by itself.
  url: mostly(
    fc.constantFrom('https://1.1.1.1/in', 'https://[2606:4700:4700::1111]/in?a=b'),
    fc.oneof(
      fc.constantFrom('', 'no uri', '/in'),
      anything.filter((value) => typeof value !== 'string'),
    ),
  ),
  event_types: mostly(
    fc.array(fc.constantFrom(...eventTypes), { minLength: 1, maxLength: 9 }),
    fc.oneof(fc.constantFrom([], ['testimonial.published'], 'space.created'), anything),
  ),
  enabled: mostly(fc.boolean(), anything),
};

type FieldName = keyof typeof fields;

/** Fields that no operation knows, and names that JavaScript's objects have of their own. */
const unknownFields = fc.dictionary(
  fc.constantFrom('id', 'user_id', 'created_at', '__proto__', 'constructor', 'shares', 'x'),
  anything,
  { maxKeys: 2 },
);

/** A body with these fields; those in `usual` are nearly always there. */
function bodyOf(usual: FieldName[], all: readonly FieldName[]): fc.Arbitrary<FuzzBody> {
  const present = Object.fromEntries([
    ...all.map((name) => [name, sometimes(fields[name])]),
    ...usual.map((name) => [name, mostly(fields[name], fc.constant(undefined))]),
  ]);
  const objectBody = fc
    .record({
      known: fc.record(present),
      unknown: unknownFields,
      spaceId: reference,
      ids: fc.array(reference, { maxLength: 5 }),
    })
    .map(({ known, unknown, spaceId, ids }) => ({
      form: 'object' as const,
      fields: { ...unknown, ...known },
      spaceId,
      ids,
    }));
  const textBody = fc.record({
    form: fc.constant('text' as const),
    text: fc.oneof(
      fc.constantFrom('', '{', '[]', 'null', '5', '"{}"', '{"a":1e400}', '{"__proto__":{}}'),
      fc.json({ maxDepth: 3 }),
      fc.string({ maxLength: 20 }),
    ),
  });
  return fc.oneof({ weight: 15, arbitrary: objectBody }, { weight: 1, arbitrary: textBody });
}

const integerText = (usual: fc.Arbitrary<number>) =>
  mostly(
    usual.map(String),
    fc.oneof(fc.constantFrom('', '1e1', '0x2', ' 1', '1.5', '-1', '101', 'x'), fc.string()),
  );

const instant = mostly(
  fc
    .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString()),
  fc.constantFrom(
    '2026-02-30T00:00:00Z',
    '2016-12-31T23:59:60Z',
    '2026-01-01',
    '2026-01-01T00:00:00+00:00',
    '',
  ),
);

/** Not tried here, where rows are made neither by imports nor of videos, and pages not walked. */
type LeftOut = 'external_id' | 'transcription' | 'include' | 'cursor';

type ParameterName = Exclude<keyof ListTestimonialsInput, LeftOut> | 'unknown';

const parameters = {
  space_id: fc.constant('the space of the request'),
  status: mostly(fc.constantFrom('pending', 'approved', 'rejected'), fc.string()),
  type: mostly(fc.constantFrom('text', 'video'), fc.string()),
  rating: integerText(fc.integer({ min: 1, max: 5 })),
  search: mostly(searchable, fc.constantFrom('a\0', '')),
  date_from: instant,
  date_to: instant,
  limit: integerText(fc.integer({ min: 1, max: 100 })),
  offset: integerText(fc.oneof(fc.nat(3), fc.maxSafeNat())),
  sort_by: mostly(fc.constantFrom(...sortKey.options), fc.string()),
  sort_order: mostly(fc.constantFrom('asc', 'desc'), fc.string()),
  unknown: fc.string(),
} satisfies Record<ParameterName, fc.Arbitrary<string>>;

const parameterNames = Object.keys(parameters) as ParameterName[];

const query: fc.Arbitrary<[string, string][]> = fc.array(
  fc
    .constantFrom(...parameterNames)
    .chain((name) => parameters[name].map((value): [string, string] => [name, value])),
  { maxLength: 3 },
);

const nothing = fc.constant<FuzzBody>({ form: 'text', text: '' });

function operation(
  method: FuzzRequest['method'],
  template: string,
  body: fc.Arbitrary<FuzzBody> = nothing,
): fc.Arbitrary<FuzzRequest> {
  return fc.record({
    method: fc.constant(method),
    template: fc.constant(template),
    id: reference,
    query: method === 'GET' && !template.includes('{id}') ? query : fc.constant([]),
    spaceId: reference,
    body,
  });
}

const createTestimonial = bodyOf(
  ['type', 'submitter_name', 'submitter_email'],
  // The service would go and fetch a video.
  createTestimonialInput.keyof().exclude(['space_id', 'video_url']).options,
);

const updateTestimonial = bodyOf([], updateTestimonialInput.keyof().exclude(['id']).options);

const createSpace = bodyOf(['name'], createSpaceInput.keyof().options);

const updateSpace = bodyOf([], updateSpaceInput.keyof().exclude(['id']).options);

const createEndpoint = bodyOf(['url', 'event_types'], createEndpointInput.keyof().options);

const updateEndpoint = bodyOf([], updateEndpointInput.keyof().exclude(['id']).options);

/** Any of the twelve operations, or one on webhook endpoints, with valid and invalid input; creating more often than deleting. */
export const aRequest: fc.Arbitrary<FuzzRequest> = fc.oneof(
  { weight: 6, arbitrary: operation('POST', '/testimonials', createTestimonial) },
  { weight: 3, arbitrary: operation('POST', '/spaces', createSpace) },
  { weight: 4, arbitrary: operation('GET', '/testimonials') },
  { weight: 1, arbitrary: operation('GET', '/spaces') },
  { weight: 1, arbitrary: operation('GET', '/testimonials/{id}') },
  { weight: 1, arbitrary: operation('GET', '/spaces/{id}') },
  { weight: 3, arbitrary: operation('PATCH', '/testimonials/{id}', updateTestimonial) },
  { weight: 2, arbitrary: operation('PATCH', '/spaces/{id}', updateSpace) },
  { weight: 1, arbitrary: operation('DELETE', '/testimonials/{id}') },
  { weight: 1, arbitrary: operation('DELETE', '/spaces/{id}') },
  { weight: 2, arbitrary: operation('POST', '/testimonials/batch/update', bodyOf(['status'], [])) },
  { weight: 1, arbitrary: operation('POST', '/testimonials/batch/delete', bodyOf([], [])) },
  { weight: 2, arbitrary: operation('POST', '/webhook-endpoints', createEndpoint) },
  { weight: 1, arbitrary: operation('GET', '/webhook-endpoints') },
  { weight: 1, arbitrary: operation('GET', '/webhook-endpoints/{id}') },
  { weight: 1, arbitrary: operation('PATCH', '/webhook-endpoints/{id}', updateEndpoint) },
  { weight: 1, arbitrary: operation('DELETE', '/webhook-endpoints/{id}') },
);
