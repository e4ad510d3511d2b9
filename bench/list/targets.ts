/** What must be reached, and how it is read from the samples. */
import { maxItems } from '../../src/imports/schema';
import { percentile } from '../report';
import type { Sample, Samples } from './rounds';

/** The samples of every workload that ran, by its name. */
export type Results = Map<string, Samples>;

export type Verdict = {
  what: string;
  against: string;
  /** What is compared. */
  by: string;
  /** One figure a round. */
  figures: number[];
  median: number;
  /** Milliseconds instead of a ratio. */
  isTime: boolean;
  target: string;
  isMet: boolean;
};

type Side = [workload: string, subject: string];

type Goal = {
  what: string;
  against: string;
  by: string;
  atLeast?: number;
  atMost?: number;
};

/** The first side is compared with the second; without a second, it is a time in milliseconds. */
type Target = Goal & { by: keyof typeof measures; first: Side; second?: Side };

/** A figure of one round, from the samples of both sides. */
const measures = {
  'CPU of the server': (own: Sample, other: Sample) => other.serverCpu / own.serverCpu,
  'CPU of both': (own: Sample, other: Sample) => allCpu(other) / allCpu(own),
  p50: (own: Sample, other: Sample) => own.p50 / other.p50,
  p99: (own: Sample, other: Sample) => own.p99 / other.p99,
  'rows per second': (own: Sample, other: Sample) => (maxItems * own.perSecond) / other.perSecond,
  'inserts per second': (own: Sample, other: Sample) => own.perSecond / other.perSecond,
};

const targets: Target[] = [
  {
    what: 'first page, small account, cache off',
    against: 'Fastify, counters',
    by: 'CPU of the server',
    first: ['small', 'service'],
    second: ['small', 'Fastify, counters'],
    atLeast: 0.7,
  },
  {
    what: 'first page, small account, cache off',
    against: 'Fastify, same duties',
    by: 'CPU of the server',
    first: ['small', 'service'],
    second: ['small', 'Fastify, same duties'],
    atLeast: 1,
  },
  {
    what: 'first page with the request log',
    against: 'the same without',
    by: 'CPU of the server',
    first: ['logged', 'on'],
    second: ['logged', 'off'],
    atLeast: 0.97,
  },
  {
    what: 'repeated identical list',
    against: 'Fastify, counters',
    by: 'CPU of the server',
    first: ['repeated', 'service'],
    second: ['repeated', 'Fastify, counters'],
    atLeast: 1.5,
  },
  {
    what: 'first page, big account',
    against: 'Fastify, count(*)',
    by: 'CPU of both',
    first: ['big', 'service'],
    second: ['big', 'Fastify, count(*)'],
    atLeast: 10,
  },
  ...(['small', 'big'] as const).flatMap((name) =>
    (['service', 'service, cache on'] as const).map(
      (subject): Target => ({
        what: `first page, ${name} account, ${subject === 'service' ? 'cache off' : 'as shipped'}`,
        against: 'Directus',
        by: 'CPU of both',
        first: [name, subject],
        second: [name, 'Directus'],
        atLeast: name === 'small' ? 10 : 30,
      }),
    ),
  ),
  ...(['small account', 'big account'] as const).map(
    (account): Target => ({
      what: `first page, ${account}`,
      against: '10,000 rows',
      by: 'p99',
      first: ['flat', `${account}, all rows`],
      second: ['flat', `${account}, 10,000 rows`],
      atMost: 1.5,
    }),
  ),
  ...(
    [
      ['rare', 'rare term', 50],
      ['one', 'one character', 250],
      ['two', 'two characters', 250],
    ] as const
  ).flatMap(([name, term, atMost]) =>
    [1, 4].map(
      (clients): Target => ({
        what: `search, ${term}, ${clients === 1 ? '1 client' : `${clients} clients`}`,
        against: '–',
        by: 'p99',
        first: [`${name}-${clients}`, 'service'],
        atMost,
      }),
    ),
  ),
  {
    what: 'page by cursor after 100,000 rows',
    against: 'the first',
    by: 'CPU of both',
    first: ['cursor', 'after 100,000 rows'],
    second: ['cursor', 'first page'],
    atLeast: 0.9,
  },
  {
    what: 'batch of 100',
    against: 'one update',
    by: 'p50',
    first: ['batch', 'service'],
    second: ['update', 'service'],
    atMost: 12,
  },
  {
    what: 'import of 1,000',
    against: 'single creates',
    by: 'rows per second',
    first: ['import', 'imports'],
    second: ['import', 'single creates'],
    atLeast: 15,
  },
  ...[32, 1].map(
    (clients): Target => ({
      what: `create with an Idempotency-Key, ${clients === 1 ? '1 client' : `${clients} clients`}`,
      against: 'without',
      by: 'CPU of both',
      first: [`keyed-${clients}`, 'with an Idempotency-Key'],
      second: [`keyed-${clients}`, 'without'],
      atLeast: 0.75,
    }),
  ),
  ...(['', ', not waiting for the disk'] as const).map(
    (how): Target => ({
      what: `create in SQL, counters and indexes${how}`,
      against: 'primary key alone',
      by: 'inserts per second',
      first: ['sql', `with counters and indexes${how}`],
      second: ['sql', `primary key alone${how}`],
      atLeast: 0.5,
    }),
  ),
  ...(['service in Next', 'service in Next, cache on'] as const).map(
    (subject): Target => ({
      what: `a list through the Next route, ${subject === 'service in Next' ? 'cache off' : 'as shipped'}`,
      against: 'empty Next route',
      by: 'CPU of the server',
      first: ['next', subject],
      second: ['next', 'empty Next route'],
      atLeast: 0.8,
    }),
  ),
];

/** The targets whose workloads ran. */
export function judge(results: Results): Verdict[] {
  return targets.flatMap((target) => {
    const { first, second, ...goal } = target;
    const own = samplesOf(results, first);
    const other = second && samplesOf(results, second);
    if (!own) return [];
    if (!second)
      return [
        verdictOf(
          goal,
          own.map(({ p99 }) => p99),
          true,
        ),
      ];
    if (!other) return [];
    const figures = own.flatMap((sample, round) => {
      const beside = other[round];
      return beside ? [measures[target.by](sample, beside)] : [];
    });
    return [verdictOf(goal, figures, false)];
  });
}

/** Bytes that the service holds after few requests and after many. */
export function judgeMemory(bytes: { few: number; many: number }): Verdict {
  const goal = {
    what: 'after 200,000 requests',
    against: 'after 20,000',
    by: 'memory',
    atMost: 1.1,
  };
  return verdictOf(goal, [bytes.many / bytes.few], false);
}

function samplesOf(results: Results, [workload, subject]: Side): Sample[] | undefined {
  return results.get(workload)?.get(subject);
}

function verdictOf(goal: Goal, figures: number[], isTime: boolean): Verdict {
  const { what, against, by, atLeast, atMost } = goal;
  const median = percentile(figures, 0.5);
  return {
    what,
    against,
    by,
    figures,
    median,
    isTime,
    target: atLeast === undefined ? `≤ ${atMost}` : `≥ ${atLeast}`,
    isMet: median >= (atLeast ?? Number.NEGATIVE_INFINITY) && median <= (atMost ?? median),
  };
}

function allCpu({ serverCpu, postgresCpu }: Sample): number {
  return serverCpu + postgresCpu;
}
