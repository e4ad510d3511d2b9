/** What so many accounts ask for in a second, and what that costs by the measured figures. */
import type { Cost, Figures } from '../costs/figures';

/** What one takes accounts to do. */
export type Habits = {
  /** Over so many years the testimonials came in, evenly. */
  years: number;
  /** Changes of a testimonial after its creation. */
  updates: number;
  /** Endpoints that are sent each event. */
  endpoints: number;
  /** Lists an hour. */
  lists: number;
  /** The share of lists that the cache answers. */
  cached: number;
  /** How many times the mean the busiest minutes are. */
  peak: number;
};

const yearSeconds = 365 * 86_400;
/** As src/webhooks/limits.ts and src/requests/limits.ts have it. */
const eventDays = 30;
const requestLogDays = 7;

/** In the mean, a second. */
type Rates = { lists: number; creates: number; updates: number; deliveries: number };

export function ratesOf(accounts: number, testimonials: number, habits: Habits): Rates {
  const creates = testimonials / (habits.years * yearSeconds);
  const updates = creates * habits.updates;
  return {
    lists: (accounts * habits.lists) / 3600,
    creates,
    updates,
    deliveries: (creates + updates) * habits.endpoints,
  };
}

/** Bytes on the disk of one database, by what they are for. */
export function bytesOf(figures: Figures, testimonials: number, rates: Rates) {
  const size = (...names: string[]) =>
    names.reduce((sum, name) => sum + bytesOfRow(figures, name), 0);
  const events = rates.creates + rates.updates;
  const requests = rates.lists + rates.creates + rates.updates;
  return {
    testimonials: testimonials * bytesOfTestimonial(figures),
    events:
      eventDays *
      86_400 *
      (events * size('webhook_events') +
        rates.deliveries * size('webhook_deliveries', 'webhook_attempts')),
    requestLog: requestLogDays * 86_400 * requests * size('request_log'),
  };
}

/** With its indexes, its text to search, and its part of the counts. */
export function bytesOfTestimonial(figures: Figures): number {
  return ['testimonials', 'testimonial_texts', 'testimonial_counts'].reduce((sum, name) => {
    const share = (figures.tables[name]?.rows ?? 0) / figures.rows;
    return sum + bytesOfRow(figures, name) * share;
  }, 0);
}

function bytesOfRow({ tables }: Figures, name: string): number {
  const found = tables[name];
  if (!found) throw new Error(`The figures have no table ${name}`);
  return Object.values(found.indexes).reduce((sum, bytes) => sum + bytes, found.bytes);
}

/** Seconds of CPU, and bytes of the log, in a second of so many operations. */
export function costOfRates(figures: Figures, rates: Rates, cached: number): Cost {
  const parts: [string, number][] = [
    ['list, 50 rows', rates.lists * (1 - cached)],
    ['list, from the cache', rates.lists * cached],
    ['create', rates.creates],
    ['update of the status', rates.updates],
  ];
  return sum(figures, [...parts, ...deliveryParts(rates.deliveries)]);
}

export function costOfDeliveries(figures: Figures, deliveries: number): Cost {
  return sum(figures, deliveryParts(deliveries));
}

function deliveryParts(deliveries: number): [string, number][] {
  return [
    ['delivery, written with its event', deliveries],
    ['delivery, sent', deliveries],
    ['event and delivery, removed after 30 days', deliveries],
  ];
}

function sum(figures: Figures, parts: [string, number][]): Cost {
  const total = { service: 0, database: 0, wal: 0, images: 0 };
  for (const [name, perSecond] of parts) {
    const cost = costOf(figures, name);
    total.service += (perSecond * cost.service) / 1000;
    total.database += (perSecond * cost.database) / 1000;
    total.wal += perSecond * cost.wal;
    total.images += perSecond * cost.images;
  }
  return total;
}

export function costOf({ operations }: Figures, name: string): Cost {
  const cost = operations[name];
  if (!cost) throw new Error(`The figures have no operation "${name}"`);
  return cost;
}
