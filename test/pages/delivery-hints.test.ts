import { prospect } from '@/app/(dashboard)/webhooks/[endpointId]/delivery-hints';

test('of a delivery that waits it is said that it is sent again, where the endpoint is sent nothing once it is resumed', () => {
  const waiting = { state: 'pending', is_test: false } as const;
  expect(prospect(waiting, true)).toBe('The event is kept and sent again.');
  expect(prospect(waiting, false)).toContain('once the endpoint is resumed');
});
