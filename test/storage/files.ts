import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDrain } from '@/src/background/drain';
import { database } from '@/src/database/client';
import { provideEnv } from '@/src/env';
import type { FileKind } from '@/src/storage/file-type';
import { removalJob } from '@/src/storage/removal-job';
import { storeUpload } from '@/src/storage/upload';
import { settled } from '../helpers/next-server';
import { withOwnDatabase } from '../helpers/own-database';
import { closeServers } from '../outbound/servers';

/** Of its own for each test file: they share a database, and each removes only its own files. */
export const publicUrl = `https://service-${randomBytes(4).toString('hex')}.example`;

/** The smallest starts that say what a file is. */
export const samples = {
  png: Buffer.from('\x89PNG\r\n\x1a\n and pixels', 'latin1'),
  jpg: Buffer.from('\xff\xd8\xff\xe0 and pixels', 'latin1'),
  gif: Buffer.from('GIF89a and pixels'),
  webp: Buffer.from('RIFF\x10\x00\x00\x00WEBPVP8 ', 'latin1'),
  mp4: Buffer.from('\x00\x00\x00\x18ftypisom\x00\x00\x02\x00isommp41', 'latin1'),
  mov: Buffer.from('\x00\x00\x00\x14ftypqt  \x00\x00\x02\x00qt  ', 'latin1'),
  webm: Buffer.from('\x1a\x45\xdf\xa3\x9f\x42\x82\x84webm', 'latin1'),
};

/** Keeps uploaded files in a temporary folder for the tests of this file. Returns the folder. */
export function temporaryFiles(): string {
  const folder = mkdtempSync(join(tmpdir(), 'testimonials-files-test-'));
  provideEnv({ DATA_FOLDER: folder, PUBLIC_URL: publicUrl });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** As `temporaryFiles`, in a database of the test file's own: for what moves all files that there are. */
export function filesToMove(): string {
  withOwnDatabase();
  const folder = temporaryFiles();
  afterEach(async () => {
    forgetBucket();
    await database().storedFile.deleteMany({});
    await closeServers();
  });
  return folder;
}

/** Keeps uploaded files in the folder again, where a test kept them in a bucket. */
export function forgetBucket(): void {
  provideEnv({
    S3_ENDPOINT: '',
    S3_BUCKET: '',
    S3_ACCESS_KEY_ID: '',
    S3_SECRET_ACCESS_KEY: '',
    STORAGE_PUBLIC_URL: '',
  });
}

/** Uploads a file and returns its address and where it lies on the disk. */
export async function upload(folder: string, accountId: string, kind: FileKind) {
  const bytes = kind === 'video' ? samples.mp4 : samples.png;
  const { url } = await storeUpload(accountId, kind, new Blob([bytes]).stream());
  return { url, path: join(folder, 'files', url.slice(`${publicUrl}/files/`.length)) };
}

export async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** The keys queued for removal that belong to the account. */
export async function queuedUrls(accountId: string): Promise<string[]> {
  const rows = await database().fileRemoval.findMany({ where: { userId: accountId } });
  return rows.map(({ url }) => url).sort();
}

/** Removes what is due, once the requests before have done what follows their answers. */
export async function drain(now?: Date): Promise<void> {
  await settled();
  await startDrain([removalJob], { deadlineAt: Date.now() + 60_000, now }).finished;
}

export const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000);
