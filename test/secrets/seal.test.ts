import { provideEnv } from '@/src/env';
import { derivedKey, type Purpose } from '@/src/secrets/derived-key';
import { isSameSecret } from '@/src/secrets/same-secret';
import { seal, unseal } from '@/src/secrets/seal';

beforeEach(() => provideEnv({ SECRET_KEY: '0123456789abcdef0123456789abcdef' }));

test('keys are derived as they always were, or what is stored with them is lost', () => {
  const keys: [Purpose, string][] = [
    ['sessions', '44c9ce4b4338508761e3380afe928697a1cc7875b626404c60295661d8ff3895'],
    ['signing-secrets', '460a3ac2c836fcc9b05d9c5d7481cda82f090b25fc2ecd55d41803457e504c25'],
    ['kept-answers', 'a2a107cbe0ca8c865aa07bdb3f2a0511c20796a550bb57c7cd0841fbbffb901b'],
    ['mailed-links', 'a094dc48fac456e28046efd2e2b6d4fcd10512644d44a619f52152cca4276019'],
    ['api-keys', '439815e6355b55907ba730e2861153509b8d40a9479087afe16105c23e8684a8'],
  ];
  for (const [purpose, key] of keys) {
    expect([purpose, derivedKey(purpose).toString('hex')]).toEqual([purpose, key]);
  }
});

test('without SECRET_KEY no key is derived, and what to do is said', () => {
  provideEnv({ SECRET_KEY: '' });
  expect(() => derivedKey('api-keys')).toThrow('SECRET_KEY is not set. Set it to at least 32');
});

test('what an earlier version has sealed is opened', () => {
  const sealed = '000102030405060708090a0bec5f27c5bc5b3057286f89ea19969b11da0a91b39f1be5b8';
  const opened = unseal(Buffer.from(sealed, 'hex'), { purpose: 'signing-secrets', row: 'row 1' });
  expect(opened.toString()).toBe('a secret');
});

test('nothing at all can be sealed too', () => {
  const of = { purpose: 'kept-answers', row: 'row 1' } as const;
  expect(unseal(seal(Buffer.alloc(0), of), of)).toEqual(Buffer.alloc(0));
});

test('secrets are the same where they are equal to the last letter', () => {
  expect(isSameSecret('a secret', 'a secret')).toBe(true);
  for (const given of ['', 'a secre', 'a secrets', 'A secret', 'b secret']) {
    expect([given, isSameSecret(given, 'a secret')]).toEqual([given, false]);
  }
});
