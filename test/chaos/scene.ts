/** One service with an account, clients and a receiver of webhooks, as each fault meets them. */
import { setTimeout as sleep } from 'node:timers/promises';
import { findEmbedded } from '../../src/database/embedded/open';
import { type Service, type Settings, startService } from '../smoke/processes';
import { committedEvents, compare, createLedger, type Ledger } from './ledger';
import { type Load, type LoadOptions, startLoad } from './load';
import { type Receiver, startReceiver } from './receiver';
import type { Result } from './report';
import { makeTenant, type Tenant } from './tenant';

/** How long a committed event may be on its way at the end, with all its retries. */
const deliveryTimeoutMs = 40_000;

/** Of the end of what a service has written, where a trial fails to run. */
const saidCharacters = 2_000;

export const settingsOfAll: Settings = {
  ALLOW_PRIVATE_NETWORK: 'true',
  RATE_LIMIT_REQUESTS: '100000000',
  LOG_LEVEL: 'warn',
};

export type Scene = {
  /** Replaced by whoever ends it and starts another. */
  service: Service;
  restart(): Promise<Service>;
  settings: Settings;
  tenant: Tenant;
  receiver: Receiver;
  ledger: Ledger;
  load(options?: Partial<Omit<LoadOptions, 'key' | 'space' | 'ledger'>>): Load;
  /** Where the database is without any fault in between. */
  databaseUrl(): string;
  /** Stops the clients, waits for what is still to be delivered, and compares. */
  finish(outcome: {
    name: string;
    recoverySeconds: number | null | undefined;
    note?: string;
    problems?: string[];
  }): Promise<Result>;
};

type SceneOptions = {
  /** `DATABASE_URL` is left out for the embedded database. */
  settings: Settings;
  /** Of a server; the way to it without a proxy. */
  directUrl?: string;
  endpoints?: number;
};

/** Runs `act` in a scene of its own, and ends all of it whatever happens. */
export async function inScene(
  options: SceneOptions,
  act: (scene: Scene) => Promise<Result>,
): Promise<Result> {
  const settings = { ...settingsOfAll, ...options.settings };
  const receiver = await startReceiver();
  const loads: Load[] = [];
  const ledger = createLedger();
  const service = await startService(settings);
  const port = () => scene.service.port;
  const urls = Array.from({ length: options.endpoints ?? 1 }, (_, at) => receiver.url(at));
  const tenant = await makeTenant(() => service.port, urls);
  const databaseUrl = () => {
    const url = options.directUrl ?? findEmbedded(settings.DATA_FOLDER ?? '');
    if (!url) throw new Error('The embedded database is not served');
    return url;
  };
  const scene: Scene = {
    service,
    settings,
    tenant,
    receiver,
    ledger,
    databaseUrl,
    restart: async () => {
      scene.service = await startService(settings);
      return scene.service;
    },
    load: ({ clients = 4, pauseMs = 10, ...rest } = {}) => {
      const load = startLoad({ ...tenant, ledger, port, clients, pauseMs, ...rest });
      loads.push(load);
      return load;
    },
    finish: async ({ name, recoverySeconds, note = '', problems = [] }) => {
      const ended = await Promise.race([scene.service.ended, sleep(0)]);
      await Promise.all(loads.map((load) => load.stop()));
      const missing = await undelivered(databaseUrl(), tenant.accountId, receiver);
      const compared = await compare(databaseUrl(), tenant.accountId, ledger);
      const sum = (read: (load: Load) => number) =>
        loads.reduce((total, load) => total + read(load), 0);
      return {
        name,
        recoverySeconds,
        note,
        requests: sum(({ counts }) => counts.requests),
        lost: compared.lost + missing,
        doubled: compared.doubled + receiver.doubled(),
        wrong: compared.wrong + sum(({ counts }) => counts.wrong),
        serverErrors: sum(({ counts }) => counts.serverErrors),
        unanswered: sum(({ counts }) => counts.unanswered),
        problems: [
          ...(missing > 0 ? [`${missing} events never delivered`] : []),
          ...(ended ? [`ended by itself: ${ended.said.slice(-saidCharacters)}`] : []),
          ...problems,
        ],
      };
    },
  };
  try {
    return await act(scene);
  } catch (error) {
    const { printed, said } = scene.service.output();
    throw new Error(`The service said: ${(printed + said).slice(-saidCharacters)}`, {
      cause: error,
    });
  } finally {
    await Promise.all(loads.map((load) => load.stop()));
    await scene.service.end('SIGKILL');
    receiver.close();
  }
}

/** How many committed events the receiver has not got, once there was time for it. */
export async function undelivered(
  url: string,
  accountId: string,
  receiver: Receiver,
): Promise<number> {
  const deadline = performance.now() + deliveryTimeoutMs;
  for (;;) {
    const events = await committedEvents(url, accountId);
    const missing = events.filter((id) => !receiver.hasEvent(id)).length;
    if (missing === 0 || performance.now() > deadline) return missing;
    await sleep(200);
  }
}
