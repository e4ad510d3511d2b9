import { createTenant, minimalTestimonial, type Tenant } from '../helpers/accounts';
import { expectError } from '../helpers/expectations';

/** As many letters, no two of them the same: what takes longest to be put into ASCII. */
function letters(count: number): string {
  return String.fromCodePoint(...Array.from({ length: count }, (_, i) => 0x4e00 + 7 * i));
}

/** The parser takes milliseconds for each, and in all of an import everybody waits for it. */
const endless: [name: string, url: string][] = [
  ['in one piece', `https://${letters(2000)}.com`],
  ['of many pieces', `https://${letters(2000).replace(/.{60}/gu, '$&.')}.com/`],
  ['without slashes', `HTTP:${letters(2000)}`],
  ['behind backslashes', `https:\\\\${letters(2000)}\\path`],
  ['behind a name', `https://user@${letters(254)}?query`],
  ['of a file', `file://${letters(2000)}/path`],
];

const fine: [name: string, url: string][] = [
  ['of as many letters as a name may have', `https://${letters(249)}.com/path`],
  ['beyond that in ASCII, as ever', `https://${'a'.repeat(1000)}.com/`],
  ['before a path of any letters', `https://example.com/${letters(1500)}`],
  ['before a query of any letters', `https://example.com?${letters(1500)}`],
  ['that there is none of', `urn:example:${letters(1500)}`],
];

let tenant: Tenant;
let spaceId: string;

beforeAll(async () => {
  tenant = await createTenant();
  spaceId = (await tenant.space()).id;
});

const fields = ['submitter_avatar_url', 'video_url', 'video_thumbnail_url'];

test.each(endless)('a URL with an endless host name %s is refused', async (_name, url) => {
  const testimonial = minimalTestimonial(spaceId);
  for (const field of fields) {
    expectError(
      await tenant.api.post('/testimonials', { ...testimonial, [field]: url }),
      400,
      'VALIDATION_ERROR',
    );
  }
  expectError(
    await tenant.api.post('/spaces', { name: 'Northwind', logo_url: url }),
    400,
    'VALIDATION_ERROR',
  );
  const { body } = await tenant.api.post('/imports', {
    testimonials: [{ ...testimonial, video_thumbnail_url: url }, testimonial],
  });
  expect(body).toMatchObject({
    created: 1,
    invalid: 1,
    data: [{ errors: [{ field: 'video_thumbnail_url' }] }, { result: 'created' }],
  });
  const endpoint = { url, event_types: ['testimonial.created'] };
  expectError(await tenant.api.post('/webhook-endpoints', endpoint), 400, 'VALIDATION_ERROR');
});

test.each(fine)('a URL with a host name %s is taken', async (_name, url) => {
  const testimonial = { ...minimalTestimonial(spaceId), video_thumbnail_url: url };
  const { status, body } = await tenant.api.post('/testimonials', testimonial);
  expect([status, body.data?.video_thumbnail_url]).toEqual([201, url]);
});
