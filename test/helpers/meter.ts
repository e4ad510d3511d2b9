import { type Meter, setMeter } from '@/src/metrics/meter';
import { createMetrics } from '@/src/metrics/metrics';

const none = async () => undefined;
const pool = () => ({ busy: 0, idle: 0, waiting: 0, max: 0 });
const sources = { pool, cacheBytes: () => 0, backlog: none, embeddedBytes: undefined };

/** Has these of its methods count for the test, which takes it away again by `setMeter(undefined)`. */
export function meterBy(methods: Partial<Meter>): void {
  setMeter({ ...createMetrics(sources).meter, ...methods });
}
