import { readdirSync, readlinkSync } from 'node:fs';

const descriptors = '/proc/self/fd';

/** The files below a folder that this process has open, once for each descriptor; deleted ones too. On Linux alone. */
export function openFilesOf(folder: string): string[] {
  return readdirSync(descriptors)
    .map(targetOf)
    .filter((target) => target.startsWith(`${folder}/`));
}

function targetOf(descriptor: string): string {
  try {
    return readlinkSync(`${descriptors}/${descriptor}`);
  } catch {
    // That of the listing is closed by now.
    return '';
  }
}
