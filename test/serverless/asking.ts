import { functionSettings } from './front';
import { createPlatform, type Platform, type Served } from './platform';

const platforms: Platform[] = [];

/** A platform that leaves nothing out: what is due after an answer is done. Closed by `closePlatforms`. */
export function openPlatform({ requestsPerInstance = 1 } = {}): Platform {
  const platform = createPlatform({
    deployment: { folder: process.env.TEST_FUNCTIONS ?? '' },
    environment: functionSettings,
    requestsPerInstance,
    leavesOutbox: false,
  });
  platforms.push(platform);
  return platform;
}

/** For afterEach. */
export async function closePlatforms(): Promise<void> {
  await Promise.all(platforms.splice(0).map((platform) => platform.close()));
}

type Asking = { key?: string; json?: unknown; headers?: Record<string, string> };

/** Sends a request and reads its answer; what follows the answer may still be under way. */
export async function ask(
  platform: Platform,
  method: string,
  path: string,
  { key, json, headers = {} }: Asking = {},
) {
  const sent = new Headers(headers);
  if (key) sent.set('authorization', `Bearer ${key}`);
  if (json !== undefined) sent.set('content-type', 'application/json');
  const body = json === undefined ? undefined : JSON.stringify(json);
  const served: Served = await platform.fetch(path, { method, headers: sent, body });
  return { ...served, status: served.response.status, text: await served.response.text() };
}
