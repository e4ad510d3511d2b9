import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  Registry,
} from 'prom-client';
import { z } from 'zod';
import { labels, type Meter } from './meter';

const prefix = 'testimonials_';

/** Seconds. From a cached list to a video that is transcribed within its request. */
const requestBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];
const attemptBuckets = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];

/** How finely the delay of the event loop is sampled, once somebody has asked for it. */
const eventLoopResolutionMs = 20;

/** Others are counted together: whoever sends one chooses its name. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS']);

/** What waits in one queue, as far as it was counted. */
export type Backlog = { queue: string; due: number; oldestSeconds: number };

/** What is read when somebody asks, and costs nothing before. */
export type Sources = {
  pool(): { busy: number; idle: number; waiting: number; max: number };
  cacheBytes(): number;
  /** Of all processes together; undefined where it could not be read. */
  backlog(): Promise<Backlog[] | undefined>;
  /** Undefined without an embedded database; what it resolves to is, where it could not be read. */
  embeddedBytes: (() => Promise<number | undefined>) | undefined;
};

/** The counts of one process, as they go from process to process. */
export const processCountsSchema = z.array(
  z.looseObject({ name: z.string(), type: z.string(), aggregator: z.string() }),
);
export type ProcessCounts = z.infer<typeof processCountsSchema>;

export type Metrics = {
  meter: Meter;
  contentType: string;
  /** The counts of this process. */
  ofProcess(): Promise<ProcessCounts>;
  /**
   * The text that a Prometheus server reads: the counts of this process and of others put together, and
   * what is true of the service as a whole. `countsOfOthers` is given what is told of this process.
   * Prometheus text format 0.0.4.
   */
  render(countsOfOthers?: (own: ProcessCounts) => Promise<ProcessCounts[]>): Promise<string>;
};

/**
 * The metrics of this process. What Node tells of itself is watched from the first question on, so
 * that a service whom nobody asks pays for its counters alone.
 */
export function createMetrics(sources: Sources): Metrics {
  const ofProcess = new Registry();
  const ofService = new Registry();
  const meter = createMeter(ofProcess);
  addProcessGauges(ofProcess, sources);
  addServiceGauges(ofService, sources);
  let isWatching = false;

  const collect = async (): Promise<ProcessCounts> => {
    if (!isWatching) {
      isWatching = true;
      collectDefaultMetrics({
        register: ofProcess,
        eventLoopMonitoringPrecision: eventLoopResolutionMs,
      });
    }
    return processCountsSchema.parse(await ofProcess.getMetricsAsJSON());
  };

  return {
    meter,
    contentType: ofProcess.contentType,
    ofProcess: collect,
    async render(countsOfOthers = async () => []) {
      const own = await collect();
      const together = AggregatorRegistry.aggregate([own, ...(await countsOfOthers(own))]);
      return `${await together.metrics()}\n${await ofService.metrics()}`;
    },
  };
}

/**
 * What stays of the counts of processes that have ended: all that only ever grows, put together. Without
 * it the sum would fall, which Prometheus takes for a new beginning: it would count all of the sum once more.
 */
export function lastingCounts(ended: ProcessCounts[]): ProcessCounts {
  const growing = ended.map((counts) =>
    counts.filter(({ type }) => type === 'counter' || type === 'histogram'),
  );
  const together = AggregatorRegistry.aggregate(growing).getMetricsAsArray();
  // Plain data, without the library's way to read it.
  return processCountsSchema.parse(JSON.parse(JSON.stringify(together)));
}

function createMeter(register: Registry): Meter {
  const registers = [register];
  /** One that is told apart by a label, with these values: each from 0 on, so that the first is an increase. */
  const counterBy = <Value extends string>(
    name: string,
    help: string,
    label: 'limit' | 'outcome',
    values: readonly Value[],
  ) => {
    const counter = new Counter({ name: `${prefix}${name}`, help, labelNames: [label], registers });
    for (const value of values) counter.inc({ [label]: value }, 0);
    return (value: Value) => counter.inc({ [label]: value });
  };
  const requests = new Histogram({
    name: `${prefix}http_request_duration_seconds`,
    help: 'Requests and how long they took, by route template and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: requestBuckets,
    registers,
  });
  const limited = counterBy(
    'rate_limited_requests_total',
    'Requests that a limit refused: that of the API, or that of the dashboard.',
    'limit',
    labels.limit,
  );
  const cacheAsked = counterBy(
    'answer_cache_requests_total',
    'Reads with an entity tag: answered from memory, read anew, or known to the client.',
    'outcome',
    labels.cache,
  );
  const replicaAsked = counterBy(
    'replica_reads_total',
    'Reads for a replica: answered by it, or by the primary as it was behind, or failed.',
    'outcome',
    labels.replica,
  );
  const attempts = new Histogram({
    name: `${prefix}webhook_attempt_duration_seconds`,
    help: 'Tries to deliver an event and how long they took, by what came of them.',
    labelNames: ['outcome'],
    buckets: attemptBuckets,
    registers,
  });
  attempts.zero({ outcome: 'succeeded' });
  const transcription = counterBy(
    'transcription_tries_total',
    'Tries to transcribe a video, by what came of them.',
    'outcome',
    labels.transcription,
  );
  return {
    request({ method, route, status, seconds }) {
      const known = methods.has(method) ? method : 'other';
      requests.observe({ method: known, route, status }, seconds);
    },
    limited,
    cacheAsked,
    replicaAsked,
    attempt: (outcome, seconds) => attempts.observe({ outcome }, seconds),
    transcription,
  };
}

function addProcessGauges(register: Registry, sources: Sources): void {
  const registers = [register];
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name: `${prefix}${name}`,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  gauge('processes', 'Processes that answer requests.', () => 1);
  new Gauge({
    name: `${prefix}database_connections`,
    help: 'Connections to the database, by state.',
    labelNames: ['state'],
    registers,
    collect() {
      const { busy, idle } = sources.pool();
      this.set({ state: 'busy' }, busy);
      this.set({ state: 'idle' }, idle);
    },
  });
  gauge(
    'database_connections_max',
    'Connections to the database that there may be.',
    () => sources.pool().max,
  );
  gauge(
    'database_waiting',
    'Who waits for a connection to the database.',
    () => sources.pool().waiting,
  );
  gauge('answer_cache_bytes', 'Memory that kept answers take.', () => sources.cacheBytes());
}

function addServiceGauges(register: Registry, { backlog, embeddedBytes }: Sources): void {
  const registers = [register];
  const labelNames = ['queue'];
  new Gauge({
    name: `${prefix}backlog_due`,
    help: 'What is due in a queue and not begun; counted up to 10,000.',
    labelNames,
    registers,
    async collect() {
      this.reset();
      for (const { queue, due } of (await backlog()) ?? []) this.set({ queue }, due);
    },
  });
  new Gauge({
    name: `${prefix}backlog_oldest_seconds`,
    help: 'For how long the oldest in a queue has been due.',
    labelNames,
    registers,
    async collect() {
      this.reset();
      for (const { queue, oldestSeconds } of (await backlog()) ?? []) {
        this.set({ queue }, oldestSeconds);
      }
    },
  });
  if (!embeddedBytes) return;
  new Gauge({
    name: `${prefix}embedded_database_bytes`,
    help: 'Files of the embedded database on the disk.',
    registers,
    async collect() {
      const bytes = await embeddedBytes();
      if (bytes === undefined) this.remove();
      else this.set(bytes);
    },
  });
}
