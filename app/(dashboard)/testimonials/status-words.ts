import type { Tone } from '@/src/ui/components/tone-badge';
import type { Status } from './view';

export const statusNames: Record<Status, string> = {
  pending: 'Pending',
  approved: 'Approved',
  rejected: 'Rejected',
};

export const statusTones: Record<Status, Tone> = {
  pending: 'warning',
  approved: 'good',
  rejected: 'bad',
};

/** `1 testimonial`, `1,234 testimonials`. */
export function countOf(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'testimonial' : 'testimonials'}`;
}
