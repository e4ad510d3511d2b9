/**
 * Cells that a spreadsheet would run as a formula, also as it reads them back: OWASP, "CSV Injection".
 * Apostrophes before it are how such a cell is escaped.
 */
const dangerous = /^'*[=+\-@\t\r\n＝＋－＠]/;

/** A cell that no spreadsheet takes for a formula: one apostrophe more, where it could. */
export function escapeFormula(cell: string): string {
  return dangerous.test(cell) ? `'${cell}` : cell;
}

/** The cell that `escapeFormula` was given. */
export function unescapeFormula(cell: string): string {
  return cell.startsWith("'") && dangerous.test(cell) ? cell.slice(1) : cell;
}
