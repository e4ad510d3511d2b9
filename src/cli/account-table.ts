import type { AccountLine } from '../accounts/accounts';
import { printable } from './printable';

type Column = {
  heading: string;
  /** Fixed, so that a line can be printed before the next one is known. */
  width: number;
  pad: 'padStart' | 'padEnd';
  cell: (account: AccountLine) => string;
};

const columns: Column[] = [
  { heading: 'ID', width: 36, pad: 'padEnd', cell: ({ id }) => id },
  { heading: 'PLAN', width: 4, pad: 'padEnd', cell: ({ plan }) => plan },
  {
    heading: 'TESTIMONIALS',
    width: 12,
    pad: 'padStart',
    cell: ({ testimonialCount }) => String(testimonialCount),
  },
  {
    heading: 'STORED BYTES',
    width: 14,
    pad: 'padStart',
    cell: ({ storedBytes }) => String(storedBytes),
  },
  {
    heading: 'SINCE',
    width: 10,
    pad: 'padEnd',
    cell: ({ createdAt }) => createdAt.toISOString().slice(0, 10),
  },
  { heading: 'E-MAIL', width: 0, pad: 'padEnd', cell: ({ email }) => printable(email) },
];

/** What the columns of `describeAccount` are. */
export const accountHeadings = line(({ heading }) => heading);

/** An account as a line for a terminal. */
export function describeAccount(account: AccountLine): string {
  return line(({ cell }) => cell(account));
}

function line(textOf: (column: Column) => string): string {
  return columns.map((column) => textOf(column)[column.pad](column.width)).join('  ');
}
