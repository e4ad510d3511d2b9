import { env, parseEnv, provideEnv } from '@/src/env';
import { mailSettings, noMailWarning } from '@/src/mail/settings';

const complete = { SMTP_URL: 'smtp://mail.example', MAIL_FROM: 'A <a@example.com>' };

test('SMTP_URL and MAIL_FROM belong together', () => {
  expect(() => parseEnv({ SMTP_URL: complete.SMTP_URL })).toThrow(/MAIL_FROM: is missing/);
  expect(() => parseEnv({ MAIL_FROM: 'a@example.com' })).toThrow(/SMTP_URL: is missing/);
  expect(parseEnv(complete)).toMatchObject(complete);
});

test.each([
  ['SMTP_URL', 'https://mail.example'],
  ['MAIL_FROM', 'nobody'],
  ['MAIL_FROM', 'a@example.com\r\nBcc: b@example.com'],
])('%s of %j is refused', (name, value) => {
  expect(() => parseEnv({ ...complete, [name]: value })).toThrow(new RegExp(`${name}: `));
});

test('without PUBLIC_URL nothing is sent, and the start says so', () => {
  provideEnv({ ...complete, PUBLIC_URL: '' });
  expect(mailSettings()).toBeUndefined();
  expect(noMailWarning(env())).toContain('PUBLIC_URL');
  provideEnv({ PUBLIC_URL: 'https://testimonials.example//' });
  expect(mailSettings()).toMatchObject({ publicUrl: 'https://testimonials.example' });
  expect(noMailWarning(env())).toBeUndefined();
});
