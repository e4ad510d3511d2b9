/** Tables in Markdown, which is also read well in a terminal. */
import { percentile } from '../report';
import type { Sample, Samples } from './rounds';
import type { Verdict } from './targets';

/** One line of a workload and a subject. */
export type Line = { title: string; label: string; concurrency: number; samples: Sample[] };

export function linesOf(title: string, concurrency: number, results: Samples): Line[] {
  return [...results].map(([label, samples]) => ({ title, label, concurrency, samples }));
}

/** Medians of the rounds. */
export function figureTable(lines: Line[]): string {
  const rows = lines.map(({ title, label, concurrency, samples }) => {
    const median = (of: keyof Sample) =>
      percentile(
        samples.map((sample) => sample[of]),
        0.5,
      );
    return [
      title,
      label,
      String(concurrency),
      median('perSecond').toFixed(0),
      time(median('p50')),
      time(median('p99')),
      time(median('serverCpu')),
      time(median('postgresCpu')),
    ];
  });
  return table(
    ['workload', 'of', 'clients', 'per second', 'p50', 'p99', 'CPU server', 'CPU Postgres'],
    rows,
  );
}

export function verdictTable(verdicts: Verdict[]): string {
  const rows = verdicts.map(({ what, against, by, figures, median, isTime, target, isMet }) => {
    const write = (figure: number) => (isTime ? time(figure) : ratio(figure));
    const unit = isTime ? ' ms' : '';
    return [
      what,
      against,
      by,
      figures.map(write).join(', '),
      write(median) + unit,
      target + unit,
      isMet ? 'met' : 'missed',
    ];
  });
  return table(['what', 'against', 'by', 'rounds', 'median', 'must be', ''], rows);
}

/** In Markdown. */
export function table(heads: string[], rows: string[][]): string {
  const all = [heads, ...rows];
  const widths = heads.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (cells: string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = line(widths.map((width) => '-'.repeat(width)));
  return [line(heads), rule, ...rows.map(line)].join('\n');
}

function time(ms: number): string {
  return ms.toFixed(ms < 10 ? 2 : ms < 100 ? 1 : 0);
}

function ratio(figure: number): string {
  return figure.toFixed(figure < 10 ? 2 : 1);
}
