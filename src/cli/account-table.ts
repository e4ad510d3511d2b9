import type { AccountLine } from '../accounts/accounts';
import { printable } from './printable';

/** Of a fixed width, so that a line can be printed before the next one is known. */
const columns = [
  ['padEnd', 36],
  ['padEnd', 4],
  ['padStart', 12],
  ['padStart', 14],
  ['padEnd', 10],
  ['padEnd', 0],
] as const;

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
  return line(id, plan, String(testimonialCount), String(storedBytes), since, printable(email));
}

function line(...cells: string[]): string {
  return columns.map(([pad, width], index) => (cells[index] ?? '')[pad](width)).join('  ');
}
