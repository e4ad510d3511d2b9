import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BuiltFunction, builtFunctions } from './build';
import { type Instance, type InstanceOptions, startInstance, type Taken } from './instance';
import { unpack } from './unpack';

/** The functions that answer data, each unpacked in a folder of its own. */
export type Deployment = { folder: string; remove(): void };

/** Pages are not among them: what serves those is Next's, and no test of ours asks it here. */
const deployed = /^api\/|^files\//;

/** @throws Error where nothing is built */
export function deploy(): Deployment {
  const folder = mkdtempSync(join(tmpdir(), 'testimonials-functions-'));
  for (const of of deployedFunctions()) unpack(of, folderOf(folder, of));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

type PlatformOptions = Pick<InstanceOptions, 'leavesOutbox'> & {
  deployment: Pick<Deployment, 'folder'>;
  /** Read for each new instance. */
  environment: () => Record<string, string>;
  /** After so many an instance is replaced; 1: each request has a process of its own. */
  requestsPerInstance: number;
};

export type Served = { response: Response; instance: Instance; finished: Promise<Taken> };

/** Runs the functions of a deployment as a platform without long-lived processes does. */
export type Platform = {
  /** One request, to the function whose route it is, in an instance that has nothing else to do. */
  fetch(path: string, init?: RequestInit): Promise<Served>;
  /** Ends what is there of instances. */
  close(): Promise<void>;
};

export function createPlatform(options: PlatformOptions): Platform {
  const functions = deployedFunctions();
  const { deployment, environment, requestsPerInstance, leavesOutbox } = options;
  const resting: { of: BuiltFunction; settings: string; instance: Instance }[] = [];
  const instances = new Set<Instance>();

  const take = async (of: BuiltFunction, settings: string): Promise<Instance> => {
    const index = resting.findIndex((one) => one.of === of && one.settings === settings);
    const [free] = index < 0 ? [] : resting.splice(index, 1);
    if (free) return free.instance;
    const folder = folderOf(deployment.folder, of);
    const instance = await startInstance({
      folder,
      of,
      environment: JSON.parse(settings),
      leavesOutbox,
    });
    instances.add(instance);
    return instance;
  };
  const giveBack = async (of: BuiltFunction, settings: string, instance: Instance) => {
    if (instance.requests < requestsPerInstance) {
      resting.push({ of, settings, instance });
      return;
    }
    instances.delete(instance);
    await instance.end();
  };

  return {
    async fetch(path, init = {}) {
      const of = functionOf(functions, path);
      const settings = JSON.stringify(environment());
      const instance = await take(of, settings);
      const { response, finished: done } = await instance.send(path, init);
      const finished = done.then(async (taken) => {
        await giveBack(of, settings, instance);
        return taken;
      });
      // Who is interested waits for it as well; one that has ended is not to be ended again.
      finished.catch(() => instances.delete(instance));
      return { response, instance, finished };
    },
    async close() {
      resting.length = 0;
      await Promise.all([...instances].map((instance) => instance.end()));
      instances.clear();
    },
  };
}

function deployedFunctions(): BuiltFunction[] {
  return builtFunctions().filter(({ name }) => deployed.test(name));
}

function folderOf(deployment: string, { name }: BuiltFunction): string {
  return join(deployment, name.replace(/\W+/g, '-'));
}

/** The one with the longest path of its own that the request's begins with. */
function functionOf(functions: BuiltFunction[], path: string): BuiltFunction {
  const [found] = functions
    .map((of) => ({ of, prefix: `/${of.name.replace(/\/\[.*$/, '')}` }))
    .filter(
      ({ prefix }) => path.startsWith(prefix) && /^(?:[/?]|$)/.test(path.slice(prefix.length)),
    )
    .sort((one, other) => other.prefix.length - one.prefix.length);
  if (!found) throw new Error(`No function answers ${path}`);
  return found.of;
}
