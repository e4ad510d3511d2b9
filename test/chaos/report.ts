/** What one fault or attack came to, and the table of all. */

type Figures = {
  requests: number;
  /** Writes answered with success, and committed events, that are gone or never arrived. */
  lost: number;
  /** Writes done twice, and deliveries that were under way twice at the same moment. */
  doubled: number;
  /** Answers with something else than what had been written. */
  wrong: number;
  serverErrors: number;
  /** Requests without an answer: refused, reset, or given up. */
  unanswered: number;
};

export type Result = Figures & {
  name: string;
  /** Undefined where it has not recovered at all, null where there is nothing to recover from. */
  recoverySeconds: number | null | undefined;
  /** What else was measured. */
  note: string;
  /** What lies beyond the bounds of this fault alone. */
  problems: string[];
};

export const noFigures: Figures = {
  requests: 0,
  lost: 0,
  doubled: 0,
  wrong: 0,
  serverErrors: 0,
  unanswered: 0,
};

/** All that lies beyond its bounds, with those that hold for every fault. */
export function problemsOf(result: Result, recoveryBoundSeconds: number): string[] {
  const { recoverySeconds, lost, doubled, wrong } = result;
  const isLate = recoverySeconds && recoverySeconds > recoveryBoundSeconds;
  const all = [
    lost > 0 && `${lost} lost`,
    doubled > 0 && `${doubled} doubled`,
    wrong > 0 && `${wrong} wrong`,
    recoverySeconds === undefined && 'has not recovered',
    isLate && `took more than ${recoveryBoundSeconds} s to recover`,
    ...result.problems,
  ];
  return all.filter((problem) => typeof problem === 'string');
}

const columns: [title: string, read: (result: Result) => string][] = [
  ['fault', ({ name }) => name],
  ['requests', ({ requests }) => String(requests)],
  ['lost', ({ lost }) => String(lost)],
  ['doubled', ({ doubled }) => String(doubled)],
  ['wrong', ({ wrong }) => String(wrong)],
  ['5xx', ({ serverErrors }) => String(serverErrors)],
  ['no answer', ({ unanswered }) => String(unanswered)],
  ['recovery', ({ recoverySeconds }) => describeRecovery(recoverySeconds)],
  ['also', ({ note }) => note],
];

/** In Markdown, so that it can be kept in a document. */
export function table(results: Result[]): string {
  const rows = [
    columns.map(([title]) => title),
    columns.map(() => '---'),
    ...results.map((result) => columns.map(([, read]) => read(result))),
  ];
  const widths = columns.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows
    .map((row) => `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`)
    .join('\n');
}

function describeRecovery(seconds: Result['recoverySeconds']): string {
  if (seconds === null) return '–';
  return seconds === undefined ? 'never' : `${seconds.toFixed(1)} s`;
}

export function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? Number.NaN;
}

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
