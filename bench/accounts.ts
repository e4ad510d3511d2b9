/**
 * What becomes of a service with so many accounts, drawn by Zipf, at the costs that bench:costs has
 * measured:
 *   npm run bench:accounts
 * Needs no database. docs/scaling.md says what follows.
 *   --accounts 1000 --testimonials 1000000   of today
 *   --times 1,10,100,1000                    how many times as many of both
 *   --exponent 1                             of Zipf
 *   --shards 8,32,128                        among which accounts are spread by a hash
 *   --seed 2026                              of the draws
 *   --years 2 --updates 1 --endpoints 1      of a testimonial: when it came, and what it sets off
 *   --lists 100 --cached 0.8 --peak 3        of an account an hour; busiest minutes against the mean
 *   --creates 100                            a second, instead of what --years gives
 *   --costs FILE                             of bench:costs; bench/costs/measured.json
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  bytesOf,
  bytesOfTestimonial,
  costOf,
  costOfDeliveries,
  costOfRates,
  type Habits,
  ratesOf,
} from './accounts/load';
import { accountSizes, largestOf, shareOfTop, spread, sumOf } from './accounts/zipf';
import { type Figures, figures as figuresSchema } from './costs/figures';
import { Random } from './list/random';
import { table } from './list/table';

const { values: options } = parseArgs({
  options: {
    accounts: { type: 'string', default: '1000' },
    testimonials: { type: 'string', default: '1000000' },
    times: { type: 'string', default: '1,10,100,1000' },
    exponent: { type: 'string', default: '1' },
    shards: { type: 'string', default: '8,32,128' },
    seed: { type: 'string', default: '2026' },
    years: { type: 'string', default: '2' },
    updates: { type: 'string', default: '1' },
    endpoints: { type: 'string', default: '1' },
    lists: { type: 'string', default: '100' },
    cached: { type: 'string', default: '0.8' },
    peak: { type: 'string', default: '3' },
    creates: { type: 'string' },
    costs: { type: 'string', default: join(__dirname, 'costs', 'measured.json') },
  },
});

/** ACCOUNT_QUOTA_BYTES, unless set; the statement timeout of src/database/read-heavy.ts. */
const quotaBytes = 10 * 1024 ** 3;
const heavyReadSeconds = 20;

const habits: Habits = {
  years: Number(options.years),
  updates: Number(options.updates),
  endpoints: Number(options.endpoints),
  lists: Number(options.lists),
  cached: Number(options.cached),
  peak: Number(options.peak),
};

type Scale = { name: string; accounts: number; testimonials: number; sizes: Float64Array };

function main(): void {
  const figures = figuresSchema.parse(JSON.parse(readFileSync(options.costs, 'utf8')));
  const scales = options.times.split(',').map(scaleOf);
  say('\nAccounts\n', accountTable(figures, scales));
  say('\nShards\n', shardTable(figures, scales));
  say('\nLoad\n', loadTable(figures, scales));
}

function scaleOf(times: string): Scale {
  const accounts = Number(options.accounts) * Number(times);
  const testimonials = Number(options.testimonials) * Number(times);
  const exponent = Number(options.exponent);
  const random = new Random(Number(options.seed));
  const sizes = accountSizes({ accounts, total: testimonials, exponent }, random);
  return { name: `${times} ×`, accounts, testimonials, sizes };
}

/** Lines with a column for each scale. */
function byScale(scales: Scale[], lines: [string, (scale: Scale) => string][]): string {
  const heads = ['', ...scales.map(({ name }) => name)];
  return table(
    heads,
    lines.map(([name, of]) => [name, ...scales.map(of)]),
  );
}

function accountTable(figures: Figures, scales: Scale[]): string {
  const perRow = (operation: string) =>
    costOf(figures, operation).database / figures.bigAccountRows / 1000;
  const seconds = (operation: string) => (scale: Scale) => {
    const needed = perRow(operation) * largestOf(scale.sizes);
    return `${short(needed)} s${needed > heavyReadSeconds ? ', ended' : ''}`;
  };
  const rowsInQuota = quotaBytes / figures.quotaBytes;
  return byScale(scales, [
    ['accounts', ({ accounts }) => short(accounts)],
    ['testimonials', ({ sizes }) => short(sumOf(sizes))],
    ['of the largest account', ({ sizes }) => short(largestOf(sizes))],
    ['of the median account', ({ sizes }) => short(sizes.toSorted()[sizes.length >> 1] ?? 0)],
    ['share of the largest', ({ sizes }) => percent(largestOf(sizes) / sumOf(sizes))],
    ['share of the top 1 %', ({ sizes }) => percent(shareOfTop(sizes, 0.01))],
    ['accounts over the quota', ({ sizes }) => short(sizes.filter((n) => n > rowsInQuota).length)],
    [
      'largest account: first page, CPU of Postgres',
      () => `${costOf(figures, 'list, 50 rows, largest account').database.toFixed(2)} ms`,
    ],
    ['search of one letter', seconds('search, one letter, largest account')],
    ['list by updated_at', seconds('list by updated_at, largest account')],
  ]);
}

function shardTable(figures: Figures, scales: Scale[]): string {
  const bytes = bytesOfTestimonial(figures);
  const lines = scales.flatMap(({ name, sizes }) =>
    options.shards.split(',').map((shards) => {
      const random = new Random(Number(options.seed) + 1);
      const rows = spread(sizes, Number(shards), random);
      const mean = sumOf(rows) / rows.length;
      const most = largestOf(rows);
      const smaller = spread(sizes.subarray(1), Number(shards), random);
      const without = largestOf(smaller) / (sumOf(smaller) / smaller.length);
      return [
        name,
        shards,
        short(mean),
        short(most),
        (most / mean).toFixed(2),
        without.toFixed(2),
        bytesText(most * bytes),
      ];
    }),
  );
  return table(
    [
      '',
      'shards',
      'rows, mean',
      'rows, fullest',
      'fullest against mean',
      'largest account apart',
      'bytes, fullest',
    ],
    lines,
  );
}

function loadTable(figures: Figures, scales: Scale[]): string {
  const rates = ({ accounts, testimonials }: Scale) => {
    const mean = ratesOf(accounts, testimonials, habits);
    if (options.creates === undefined) return mean;
    const creates = Number(options.creates);
    const updates = creates * habits.updates;
    return { ...mean, creates, updates, deliveries: (creates + updates) * habits.endpoints };
  };
  const bytes = (scale: Scale) => bytesOf(figures, scale.testimonials, rates(scale));
  const atPeak = (scale: Scale) => costOfRates(figures, rates(scale), habits.cached);
  const deliveries = (scale: Scale) => rates(scale).deliveries * habits.peak;
  return byScale(scales, [
    ['testimonials, counts, texts', (scale) => bytesText(bytes(scale).testimonials)],
    ['events and deliveries of 30 days', (scale) => bytesText(bytes(scale).events)],
    ['log of requests of 7 days', (scale) => bytesText(bytes(scale).requestLog)],
    ['lists a second, peak', (scale) => short(rates(scale).lists * habits.peak)],
    ['creates a second, peak', (scale) => short(rates(scale).creates * habits.peak)],
    ['cores of the service, peak', (scale) => short(atPeak(scale).service * habits.peak)],
    ['cores of Postgres, peak', (scale) => short(atPeak(scale).database * habits.peak)],
    [
      'WAL a second, peak',
      (scale) => bytesText((atPeak(scale).wal + atPeak(scale).images) * habits.peak),
    ],
    ['WAL a day', (scale) => bytesText((atPeak(scale).wal + atPeak(scale).images) * 86_400)],
    ['deliveries a second, peak', (scale) => short(deliveries(scale))],
    [
      'of what one sending core does',
      (scale) => percent(costOfDeliveries(figures, deliveries(scale)).service),
    ],
    [
      'of what one core of Postgres does',
      (scale) => percent(costOfDeliveries(figures, deliveries(scale)).database),
    ],
  ]);
}

/** Three digits that count. */
function short(value: number): string {
  return value.toLocaleString('en', { maximumSignificantDigits: 3 });
}

function percent(share: number): string {
  return `${(share * 100).toFixed(share < 0.1 ? 2 : 1)} %`;
}

/** Decimal units. */
function bytesText(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(bytes) / 3)));
  return `${short(bytes / 1000 ** power)} ${units[power]}`;
}

function say(title: string, text: string): void {
  process.stdout.write(`${title}\n${text}\n`);
}

main();
