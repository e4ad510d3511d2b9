import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { freeBytes, neededBytes, warnBytes } from '../../database/embedded/free-space';
import type { Env } from '../../env';
import { reasonOf } from '../../error-parts';
import { deadLink, foreignFile, foreignFileError } from '../../file-system/data-folder';
import { withTemporaryFolder } from '../../file-system/temporary-folder';
import { bad, type Check, doubtful, type Finding, well } from './finding';

const miB = 1024 ** 2;

/** Two videos on their way. */
const temporaryBytes = 1024 * miB;

const asItSays = 'As it says.';
const mendLink = 'Make the folder that it leads to, as by a mount, or set DATA_FOLDER.';

export function machineChecks({
  DATA_FOLDER,
  DATABASE_URL,
  S3_ENDPOINT,
  SECRET_KEY,
}: Env): Check[] {
  const folder = resolve(DATA_FOLDER);
  const stops = DATABASE_URL ? 'uploads find none' : 'the database stops without';
  const growsThere = !(DATABASE_URL && S3_ENDPOINT);
  return [
    {
      about: 'data folder',
      look: () => (growsThere || !SECRET_KEY ? lookAtFolder(folder) : unused),
    },
    {
      about: 'disk',
      look: async () => [
        ...(growsThere ? [await lookAtDisk(folder, stops)] : []),
        await lookAtTemporary(),
      ],
    },
  ];
}

const unused = well(
  'data folder',
  'nothing is kept in it: database, uploaded files and SECRET_KEY are elsewhere',
);

/** Whether a file can be written there; leaves nothing behind. */
async function lookAtFolder(folder: string): Promise<Finding> {
  const about = 'data folder';
  const mend = 'Give the user that runs the service the right to write there, or set DATA_FOLDER.';
  const link = deadLink(folder);
  if (link !== undefined) {
    return bad(about, `${folder} cannot be made: the link ${link} leads nowhere`, mendLink);
  }
  const place = existing(folder);
  const probe = join(place, `.doctor-${randomUUID()}`);
  try {
    if (place === folder) await writeFile(probe, '');
    else await mkdir(probe);
    const foreign = place === folder ? foreignFile(folder) : undefined;
    if (foreign !== undefined)
      return bad(about, foreignFileError(folder, foreign).message, asItSays);
    const says = place === folder ? `${folder} can be written` : `${folder} can be made`;
    return well(about, says);
  } catch (error) {
    return bad(about, `${folder} cannot be written: ${reasonOf(error)}`, mend);
  } finally {
    await rm(probe, { recursive: true, force: true }).catch(() => {});
  }
}

async function lookAtDisk(folder: string, stops: string): Promise<Finding> {
  const bytes = freeBytes(existing(folder));
  const says = `${Math.floor(bytes / miB)} MiB are free for ${folder}`;
  if (bytes < neededBytes) return bad('disk', says, `Make room: ${stops}.`);
  if (bytes < warnBytes) return doubtful('disk', says, 'Make room soon.');
  return well('disk', says);
}

async function lookAtTemporary(): Promise<Finding> {
  const folder = tmpdir();
  try {
    await withTemporaryFolder(async () => {});
  } catch (error) {
    const says = `no temporary file can be made in ${folder}: ${reasonOf(error)}`;
    return bad(
      'disk',
      says,
      'Set TMPDIR to a folder in which the user that runs the service may write.',
    );
  }
  const bytes = freeBytes(folder);
  const says = `${Math.floor(bytes / miB)} MiB are free for temporary files in ${folder}`;
  if (bytes >= temporaryBytes) return well('disk', says);
  return doubtful('disk', says, 'Make room for videos and uploads, or set TMPDIR.');
}

/** The folder, or the nearest above it that exists. */
function existing(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : existing(dirname(folder));
}
