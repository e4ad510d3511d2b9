/** Of an avatar, a thumbnail or a logo, in bytes. */
export const maxPictureBytes = 5 * 1024 * 1024;

/** What an upload must bring on average, a quarter of a megabit a second. */
export const minUploadBytesPerSecond = 32 * 1024;

/** What a disk gives a file at least, and what it grows by. */
const blockBytes = 4096;

/** What a file counts as: without end, small ones would take the disk's room and count next to nothing. */
export function bytesOnDisk(sizeBytes: number): number {
  return Math.ceil(sizeBytes / blockBytes) * blockBytes;
}
