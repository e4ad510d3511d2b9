/** What the kills came to. */
import { percentile } from '../chaos/report';

/** In seconds after the kill, but for the pause. */
export type Kill = {
  killed: string;
  primary: string;
  electedSeconds: number;
  /** Between two acknowledged creations, of whichever client and instance. */
  unwritableSeconds: number;
  /** Whether every client of every instance was answered again. */
  hasRecovered: boolean;
  /** Until the one that was killed follows the new one. */
  wholeSeconds: number;
};

export type Totals = {
  /** Creations answered with success. */
  acknowledged: number;
  lostWrites: number;
  doubledWrites: number;
  /** Rows and answers that are not what was written. */
  wrong: number;
  /** Committed, for an endpoint. */
  events: number;
  undelivered: number;
  /** Delivered, and not in the database at the end. */
  uncommitted: number;
  doubledAtOnce: number;
  /** One after the other, as is allowed. */
  sentAgain: number;
  requests: number;
  serverErrors: number;
  unanswered: number;
};

export function problemsOf(kills: Kill[], totals: Totals): string[] {
  const counted: [count: number, what: string][] = [
    [totals.lostWrites, 'acknowledged writes lost'],
    [totals.doubledWrites, 'writes done twice'],
    [totals.wrong, 'wrong rows or answers'],
    [totals.undelivered, 'committed events never delivered'],
    [totals.uncommitted, 'delivered events that the database does not have'],
    [totals.doubledAtOnce, 'deliveries under way twice at once'],
    [
      kills.filter(({ hasRecovered }) => !hasRecovered).length,
      'times the service has not recovered',
    ],
  ];
  const beyond = counted.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  if (kills.length === 0) beyond.push('nothing was killed');
  // Of a load that wrote nothing, nothing could be lost.
  if (totals.acknowledged === 0 || totals.events === 0) beyond.push('nothing was written');
  return beyond;
}

/** In Markdown, so that it can be kept in a document. */
export function failoverTable(kills: Kill[]): string {
  const rows = [
    ['kill', 'primary', 'next', 'elected', 'without writes', 'whole again'],
    Array.from({ length: 6 }, () => '---'),
    ...kills.map((kill, at) => [
      String(at + 1),
      kill.killed,
      kill.primary,
      inSeconds(kill.electedSeconds),
      inSeconds(kill.unwritableSeconds),
      inSeconds(kill.wholeSeconds),
    ]),
  ];
  return rows.map((row) => `| ${row.join(' | ')} |`).join('\n');
}

export function summary(kills: Kill[], totals: Totals): string {
  const pauses = kills.map(({ unwritableSeconds }) => unwritableSeconds);
  const { acknowledged, lostWrites, doubledWrites, events, undelivered, uncommitted } = totals;
  const { doubledAtOnce, sentAgain, wrong, requests, serverErrors, unanswered } = totals;
  return [
    `without writes: ${inSeconds(percentile(pauses, 0.5))} in the middle, ${inSeconds(Math.max(...pauses))} at most`,
    `${acknowledged} testimonials acknowledged: ${lostWrites} lost, ${doubledWrites} doubled, ${wrong} wrong`,
    `${events} events committed: ${undelivered} never delivered, ${uncommitted} delivered without being there,`,
    `  ${doubledAtOnce} under way twice at once, ${sentAgain} sent again later`,
    `${requests} requests, ${serverErrors} answered 5xx, ${unanswered} without an answer`,
  ].join('\n');
}

function inSeconds(seconds: number): string {
  return `${seconds.toFixed(1)} s`;
}
