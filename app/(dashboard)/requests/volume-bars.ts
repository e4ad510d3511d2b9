import type { Volume } from '@/src/requests/schema';

/** The drawing is this high, and each hour this wide; the page stretches it. */
export const chartHeight = 100;
export const hourWidth = 10;
const barWidth = 8;

/** A limit that is far above everything would make everything flat: it is only told then. */
const farAbove = 2;

export const kinds = ['succeeded', 'refused', 'failed'] as const;
export type Kind = (typeof kinds)[number];

/** What a chart of hours draws: one outline for each kind, on top of each other. */
export function barsOf({ hours, limit }: Volume): {
  paths: Record<Kind, string>;
  /** Where the limit lies; undefined where it is out of the picture. */
  limitAt: number | undefined;
} {
  const busiest = Math.max(1, ...hours.map(totalOf));
  const top = limit <= farAbove * busiest ? Math.max(limit, busiest) : busiest;
  const heightOf = (count: number) => (count / top) * (chartHeight - 4);
  const paths: Record<Kind, string> = { succeeded: '', refused: '', failed: '' };
  for (const [index, hour] of hours.entries()) {
    let base = chartHeight;
    for (const kind of kinds) {
      if (hour[kind] === 0) continue;
      // One request among thousands is still seen.
      const height = Math.max(2, heightOf(hour[kind]));
      paths[kind] +=
        `M${index * hourWidth + 1} ${rounded(base)}h${barWidth}v${rounded(-height)}h${-barWidth}z`;
      base -= height;
    }
  }
  const limitAt = limit <= top ? chartHeight - heightOf(limit) : undefined;
  return { paths, limitAt };
}

/** The sum of all hours, by kind, and the most of one. */
export function summaryOf({ hours }: Volume): Record<Kind, number> & { busiest: number } {
  const sum = (kind: Kind) => hours.reduce((total, hour) => total + hour[kind], 0);
  return {
    succeeded: sum('succeeded'),
    refused: sum('refused'),
    failed: sum('failed'),
    busiest: Math.max(0, ...hours.map(totalOf)),
  };
}

export function totalOf(hour: Volume['hours'][number]): number {
  return hour.succeeded + hour.refused + hour.failed;
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
