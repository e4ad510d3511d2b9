import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { moveFiles } from '@/src/storage/moving';
import { createTenant } from '../helpers/accounts';
import { quickWasm } from '../helpers/quick-wasm';
import { until } from '../helpers/until';
import { openBucket } from './bucket';
import { filesToMove, samples, upload } from './files';

const folder = filesToMove();
const files = join(folder, 'files');

function filesLeft(): string[] {
  if (!existsSync(files)) return [];
  const entries = readdirSync(files, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s in the midst of a file leaves nothing of it, and the next run moves it',
  async (signal) => {
    const { accountId, api, space } = await createTenant();
    const { path, url } = await upload(folder, accountId, 'logo');
    const { id } = await space({ logo_url: url });
    const addressNow = async () => (await api.get(`/spaces/${id}`)).body.data.logo_url;
    const bucket = await openBucket();
    await moveFiles('bucket', () => {});
    const inBucket = await addressNow();
    rmSync(files, { recursive: true });

    bucket.instead = (response) => void response.writeHead(200).write('the beginning');
    const command = [...quickWasm, '--import', 'tsx', 'src/cli/move-files.ts', '--to', 'folder'];
    const child = spawn(process.execPath, command, { env: process.env });
    await until(() => filesLeft().length > 0);
    child.kill(signal);
    expect(await once(child, 'close')).toEqual([null, signal]);
    expect(filesLeft()).toEqual([]);
    expect(await addressNow()).toBe(inBucket);

    bucket.instead = undefined;
    expect(await moveFiles('folder', () => {})).toEqual({ moved: 1, missing: 0 });
    expect([await addressNow(), await readFile(path)]).toEqual([url, samples.png]);
  },
);
