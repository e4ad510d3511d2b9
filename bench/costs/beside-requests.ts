/** What is done beside requests, measured in this process by what the service calls. */
import type { Client } from 'pg';
import { startDrain } from '../../src/background/drain';
import { database } from '../../src/database/client';
import { directWriter } from '../../src/database/writer';
import { promptJobs } from '../../src/jobs';
import { updateTestimonials } from '../../src/testimonials/testimonials';
import { trimLog } from '../../src/webhooks/log-trimming';
import { startReceiver } from '../receiver-process';
import {
  addPending,
  makeAccount,
  makeAccountsWithEndpoint,
  makeEndpoints,
  makeTestimonials,
} from '../webhook-rows';
import type { Cost } from './figures';
import { costOf, type Work } from './meter';

const batch = 100;
const updates = 20;
/** As many as an account may have. */
const endpointsOfAccount = 10;
const receivers = 100;
const deliveriesToEach = 150;
const monthMs = 31 * 86_400_000;

type Measure = (name: string, work: Omit<Work, 'cpuOfService'>) => Promise<Cost>;

/**
 * The costs of events that endpoints are sent, by the operation's name. No other process may work in
 * the database meanwhile. `atRest` is called while deliveries lie as they do for a month.
 */
export async function costsOfDeliveries(
  postgres: Client,
  rounds: number,
  options: { say: (line: string) => void; atRest: () => Promise<void> },
): Promise<Record<string, Cost>> {
  const measure: Measure = (name, work) => {
    options.say(`${name} …`);
    return costOf(postgres, rounds, { cpuOfService: ownCpu, ...work });
  };
  const queued = await measureQueued(measure);
  const receiver = await startReceiver();
  try {
    await database().$executeRaw`TRUNCATE webhook_events CASCADE`;
    const endpoints = await makeAccountsWithEndpoint(receivers, receiver.url);
    const fill = () => addPending(endpoints, deliveriesToEach);
    await fill();
    await send();
    const sent = await measure('deliveries', { prepare: fill, run: send });
    await options.atRest();
    await trim();
    const removed = await measure('removal', {
      prepare: async () => {
        await fill();
        await send();
      },
      run: trim,
    });
    return {
      'delivery, written with its event': queued,
      'delivery, sent': sent,
      'event and delivery, removed after 30 days': removed,
    };
  } finally {
    receiver.close();
  }
}

/** What an update of 100 costs more with ten endpoints than with none, for each delivery. */
async function measureQueued(measure: Measure): Promise<Cost> {
  const costs: Cost[] = [];
  for (const endpoints of [0, endpointsOfAccount]) {
    const { accountId, spaceId } = await makeAccount();
    await makeEndpoints(accountId, endpoints, 'http://127.0.0.1:9/');
    const ids = await makeTestimonials(accountId, spaceId, batch);
    const run = async () => {
      for (let count = 0; count < updates; count++) {
        await updateTestimonials(accountId, ids, { status: 'approved' }, directWriter);
      }
      return updates * batch * endpointsOfAccount;
    };
    await run();
    costs.push(await measure(`updates with ${endpoints} endpoints`, { run }));
  }
  const [none, some] = costs;
  if (!none || !some) throw new Error('Nothing was measured');
  return {
    service: some.service - none.service,
    database: some.database - none.database,
    wal: some.wal - none.wal,
    images: some.images - none.images,
  };
}

/** Sends all that is due. Returns how many deliveries there were. */
async function send(): Promise<number> {
  const drain = startDrain(promptJobs, { deadlineAt: Date.now() + 600_000 });
  return (await drain.finished).started;
}

/** Removes all events, as if a month had passed. Returns how many there were. */
async function trim(): Promise<number> {
  const now = new Date(Date.now() + monthMs);
  return (await trimLog({ endAt: Date.now() + 600_000, now })).removed;
}

/** Milliseconds of CPU of this process, all threads. */
function ownCpu(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
