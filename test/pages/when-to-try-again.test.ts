import { whenToTryAgain } from '@/src/ui/calls/when-to-try-again';

test.each([
  ['0', 'Try again in 1 second.'],
  ['1', 'Try again in 1 second.'],
  ['59', 'Try again in 59 seconds.'],
  ['60', 'Try again in 1 minute.'],
  ['61', 'Try again in 2 minutes.'],
  ['900', 'Try again in 15 minutes.'],
  ['7200', 'Try again in 2 hours.'],
  ['7201', 'Try again in 3 hours.'],
])('Retry-After: %s is told as “%s”', (retryAfter, words) => {
  expect(whenToTryAgain(retryAfter)).toBe(words);
});

test.each([null, '', '-1', '1.5', '1e3', 'soon', 'Wed, 21 Oct 2026 07:28:00 GMT', '9'.repeat(40)])(
  'Retry-After: %s tells nothing, and no time is made up',
  (retryAfter) => {
    expect(whenToTryAgain(retryAfter)).toBe('Wait a while and try again.');
  },
);
