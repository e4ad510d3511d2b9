import type { AccountLine } from '../accounts/accounts';
import { printable } from './printable';

/** Columns of a fixed width, so that a line can be printed before the next one is known. */
const widths = { id: 36, plan: 4, testimonials: 12, stored: 14, since: 10 };

/** What the columns of `describeAccount` are. */
export const accountHeadings = line(
  'ID',
  'PLAN',
  'TESTIMONIALS',
  'STORED BYTES',
  'SINCE',
  'E-MAIL',
);

/** An account as a line for a terminal. */
export function describeAccount(account: AccountLine): string {
  const { id, plan, testimonialCount, storedBytes, createdAt, email } = account;
  const since = createdAt.toISOString().slice(0, 10);
  return line(id, plan, String(testimonialCount), String(storedBytes), since, email);
}

function line(
  id: string,
  plan: string,
  testimonials: string,
  stored: string,
  since: string,
  email: string,
): string {
  return [
    id.padEnd(widths.id),
    plan.padEnd(widths.plan),
    testimonials.padStart(widths.testimonials),
    stored.padStart(widths.stored),
    since.padEnd(widths.since),
    printable(email),
  ].join('  ');
}
