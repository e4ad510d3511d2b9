/** Of an avatar, a thumbnail or a logo, in bytes. */
export const maxPictureBytes = 5 * 1024 * 1024;

/** What an upload must bring on average, a quarter of a megabit a second. */
export const minUploadBytesPerSecond = 32 * 1024;
