import type { ParameterObject, ResponseObject, SchemaObject } from 'openapi3-ts/oas31';
import { minimalTestimonial } from '../helpers/accounts';
import { document, isParameter, operationOf, resolve, schemaOf, validatorAt } from './conformance';
import { describedRequests } from './described';

const { attempt, account } = describedRequests();

function parameterOf(template: string, name: string): ParameterObject | undefined {
  const parameters = operationOf(template, 'GET')?.parameters ?? [];
  return parameters
    .map((one) => resolve<ParameterObject>(one))
    .find((parameter) => parameter?.name === name);
}

test.each([
  ['2016-12-31T23:59:59.999999Z', 200],
  // A leap second is an instant of RFC 3339, and of the format "date-time"; Postgres has none.
  ['2016-12-31T23:59:60Z', 400],
  ['2016-12-31T23:59:60.5Z', 400],
])('%s as date_from and date_to is described as it is answered: %i', async (instant, status) => {
  for (const name of ['date_from', 'date_to']) {
    const answer = await attempt('GET', `/testimonials?${name}=${instant}`);
    expect(answer.status).toBe(status);
    const schema = parameterOf('/testimonials', name)?.schema;
    expect(isParameter(schema, instant)).toBe(status === 200);
  }
});

test.each([
  ['2016-12-31T23:59:59Z', 'created'],
  ['2016-12-31T18:59:59-05:00', 'created'],
  ['2016-12-31T23:59:60Z', 'invalid'],
  ['2016-12-31T18:59:60-05:00', 'invalid'],
])('%s as created_at of an import is described as it is answered: %s', async (instant, result) => {
  const item = { ...minimalTestimonial(account().spaceId), created_at: instant };
  const { body } = await attempt('POST', '/imports', { json: { testimonials: [item] } });
  expect(body.data[0].result).toBe(result);
  const isDescribed = validatorAt('/components/schemas/ImportedTestimonial');
  expect(isDescribed(item)).toBe(result === 'created');
});

test('the first year of an import is described, and the one before it invalid', async () => {
  const item = minimalTestimonial(account().spaceId);
  const testimonials = ['0001-01-01T00:00:00Z', '0000-12-31T23:59:59Z'].map((created_at) => ({
    ...item,
    created_at,
  }));
  const { body } = await attempt('POST', '/imports', { json: { testimonials } });
  expect(body.data.map(({ result }: { result: string }) => result)).toEqual(['created', 'invalid']);
  const { created_at } = schemaOf('ImportedTestimonial')?.properties ?? {};
  expect(resolve<SchemaObject>(created_at)?.description).toContain('year 1');
});

test.each(['/testimonials', '/spaces'])(
  'the greatest offset of %s is described, and one more refused',
  async (path) => {
    const greatest = 9007199254740991n;
    const statuses = [greatest, greatest + 1n].map(async (offset) => {
      const { status } = await attempt('GET', `${path}?offset=${offset}`);
      return status;
    });
    expect(await Promise.all(statuses)).toEqual([200, 400]);
    expect(parameterOf(path, 'offset')?.description).toContain(` ${greatest}`);
  },
);

test.each(['/nowhere', '/testimonials/batch/other'])(
  '%s is no endpoint, where Prefer is not looked at, and the document lists no such header',
  async (path) => {
    const headers = { Prefer: 'handling=strict' };
    const answer = await attempt('POST', path, { json: {}, headers });
    expect(answer.status).toBe(404);
    expect(answer.headers.has('preference-applied')).toBe(false);
    const response = resolve<ResponseObject>(document.components?.responses?.InvalidEndpoint);
    expect(Object.keys(response?.headers ?? {})).not.toContain('Preference-Applied');
  },
);
