/** Of an avatar, a thumbnail or a logo, in bytes. */
export const maxPictureBytes = 5 * 1024 * 1024;
