import { isDecodable, originForm, withoutNeedlessEscapes } from '@/src/rest/request-target';

test.each([
  ['/api/v1/spaces?limit=1', '/api/v1/spaces?limit=1'],
  ['//api/v1', '/api/v1'],
  ['/api//v1/spaces', '/api/v1/spaces'],
  ['/api/v1\\spaces', '/api/v1\\spaces'],
  ['//elsewhere', '//elsewhere'],
  ['//api/v10/spaces', '//api/v10/spaces'],
  ['http://example.com/api/v1/spaces?limit=1', '/api/v1/spaces?limit=1'],
  ['HTTPS://example.com:8443/', '/'],
  ['http://[::1]:80/a', '/a'],
  ['http://example.com', '/'],
  ['http://example.com?a=/b', '/?a=/b'],
  ['http:///a', undefined],
  ['ftp://example.com/a', undefined],
  ['example.com:443', undefined],
  ['*', undefined],
  ['', undefined],
])('the origin form of %j is %j', (target, expected) => {
  expect(originForm(target)).toBe(expected);
});

test.each([
  ['/testimonials/a%2Db', '/testimonials/a-b'],
  ['/test%69monials', '/testimonials'],
  ['/a%2fb%20%ff%', '/a%2fb%20%ff%'],
])('%j means %j', (path, expected) => {
  expect(withoutNeedlessEscapes(path)).toBe(expected);
});

test('only the path of a target has to be decodable', () => {
  expect(isDecodable('/a%20b?q=%E0')).toBe(true);
  expect(isDecodable('/%E0%A4%A')).toBe(false);
  expect(isDecodable('/%')).toBe(false);
});
