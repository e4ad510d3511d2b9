/** The service of an image, started and stopped as an engine does. */
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { freePort } from '../helpers/listening';
import { type How, type Running, runToEnd, type Settings, start } from './processes';
import { type Image, isRoot, nodeUser } from './stages';

/** As `stop_grace_period` of compose.yaml: after this an engine kills. */
const stopTimeoutMs = 30_000;

const startTimeoutMs = 180_000;

export class Service {
  private constructor(
    private readonly how: How,
    private readonly url: string,
    private readonly process: Running,
  ) {}

  /** Starts the image by its CMD, with settings as by `--env`, and waits until it is healthy. */
  static async start(image: Image, path: string, settings: Settings): Promise<Service> {
    if (!image.command || !image.healthCheck || !image.isUnprivileged) {
      throw new Error('The last stage has no CMD, HEALTHCHECK or USER');
    }
    // The health check reads it from the environment, so it is chosen here.
    const port = await freePort();
    const env = {
      PATH: path,
      // Neither is there nor can be made: an image's home is not written to either.
      HOME: join(image.root, 'home'),
      TMPDIR: join(image.root, 'tmp'),
      ...image.env,
      HOST: '127.0.0.1',
      PORT: String(port),
      ...settings,
    };
    const user = isRoot ? nodeUser : undefined;
    const how = { cwd: image.workdir, env, user, timeoutMs: 60_000 };
    const process = start(image.command, { ...how, timeoutMs: 20 * 60_000 });
    const service = new Service(how, `http://127.0.0.1:${port}`, process);
    await service.waitUntilHealthy(image.healthCheck);
    return service;
  }

  /** SIGTERM; throws unless it ends with 0 in time. */
  async stop(): Promise<void> {
    const timedOut = new AbortController();
    const late = delay(stopTimeoutMs, 'late' as const, { signal: timedOut.signal });
    late.catch(() => {});
    this.process.stop();
    const code = await Promise.race([this.process.ended, late]);
    timedOut.abort();
    if (code !== 0) throw new Error(`It stopped with ${code}:\n${this.process.output()}`);
  }

  /** What a command prints that is run in the image beside the service, as by `exec`. */
  exec(command: string[], input = ''): Promise<string> {
    return runToEnd(command, { ...this.how, input });
  }

  /** Asks, and returns what is in `data` of the answer, where the answer has the status. */
  async ask<T extends z.ZodType>(
    [method = '', path = ''],
    status: number,
    { key, json, data }: { key: string; json?: unknown; data: T },
  ): Promise<z.infer<T>> {
    const response = await fetch(`${this.url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      signal: AbortSignal.timeout(60_000),
    });
    const text = await response.text();
    if (response.status !== status) {
      throw new Error(`${method} ${path}: ${response.status} ${text}\n${this.process.output()}`);
    }
    return data.parse(z.object({ data: z.unknown() }).parse(JSON.parse(text)).data);
  }

  async expectPage(path: string): Promise<void> {
    const response = await fetch(this.url + path, { signal: AbortSignal.timeout(60_000) });
    await response.text();
    if (response.status !== 200) throw new Error(`${path}: ${response.status}`);
  }

  /** Oftener than an engine, which has the time. */
  private async waitUntilHealthy(check: NonNullable<Image['healthCheck']>): Promise<void> {
    const deadline = Date.now() + startTimeoutMs;
    while (!(await this.isHealthy(check))) {
      const ended = await Promise.race([this.process.ended.then(() => true), delay(1000, false)]);
      if (ended || Date.now() > deadline) {
        throw new Error(`It does not become healthy:\n${this.process.output()}`);
      }
    }
  }

  private async isHealthy({ command, timeoutMs }: NonNullable<Image['healthCheck']>) {
    return (await start(command, { ...this.how, timeoutMs }).ended) === 0;
  }
}
