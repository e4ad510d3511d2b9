import { createTenant, minimalTestimonial, type Tenant } from '../helpers/accounts';
import { expectError } from '../helpers/expectations';

let tenant: Tenant;
let spaceId: string;

beforeAll(async () => {
  tenant = await createTenant();
  spaceId = (await tenant.space()).id;
});

function create(submitter_email: string) {
  return tenant.api.post('/testimonials', { ...minimalTestimonial(spaceId), submitter_email });
}

test.each([
  'a@example.com',
  "o'brien+tag@mail.example.co",
  'A.B-C_d@EXAMPLE.com',
  'info@xn--80aswg.xn--p1ai',
  'owner=list@example.com',
  '!#$%&*/?^`{|}~@example.com',
  `${'a'.repeat(308)}@example.com`,
  `a@${'b'.repeat(306)}.example.com`,
])('the e-mail address %s is accepted as it is', async (submitter_email) => {
  const answer = await create(submitter_email);
  expect([answer.status, answer.body.data?.submitter_email]).toEqual([201, submitter_email]);
  const read = await tenant.api.get(`/testimonials/${answer.body.data.id}`);
  expect(read.body).toEqual(answer.body);
});

test.each([
  '',
  'ada',
  'ada@',
  '@example.com',
  'ada@example',
  'a b@example.com',
  'a@b@c.com',
  'a@.com',
  'a@b..co',
  'a@-b.co',
  'a@b-.co',
  'a@b.c',
  'a@127.0.0.1',
  '.a@b.co',
  'a.@b.co',
  'a..b@c.co',
  'a(b)@c.co',
  'é@example.com',
  'a@exämple.com',
  'a@b.co\n',
  `${'a'.repeat(309)}@example.com`,
  `a@${'b'.repeat(307)}.example.com`,
])('the e-mail address "%s" is refused', async (submitter_email) => {
  expectError(await create(submitter_email), 400, 'VALIDATION_ERROR');
});
