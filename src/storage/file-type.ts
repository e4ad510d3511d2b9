import { maxUploadBytes } from '../api/body';
import { type Container, detectContainer } from './container';
import { maxPictureBytes } from './limits';

export const fileKinds = ['avatar', 'thumbnail', 'logo', 'video'] as const;

export type FileKind = (typeof fileKinds)[number];

/** The endings that uploaded files get, and what they are served as. */
export const contentTypes = {
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
} as const;

export type Extension = keyof typeof contentTypes;

/** Of a video; each is that of its container too. */
export const videoExtensions = ['mp4', 'mov', 'webm'] as const satisfies Container[];

const picture = { maxBytes: maxPictureBytes, extensions: ['png', 'jpg', 'webp', 'gif'] } as const;

/** What may be uploaded. Vector images are not: they can carry scripts. */
export const uploadRules: Record<FileKind, { maxBytes: number; extensions: readonly Extension[] }> =
  {
    avatar: picture,
    thumbnail: picture,
    logo: picture,
    video: { maxBytes: maxUploadBytes, extensions: videoExtensions },
  };

/** The type of a file by its first bytes, undefined where it is none that may be uploaded. */
export function detectExtension(bytes: Uint8Array): Extension | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (text.startsWith('\xff\xd8\xff')) return 'jpg';
  if (text.startsWith('GIF87a') || text.startsWith('GIF89a')) return 'gif';
  if (text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP') return 'webp';
  const container = detectContainer(bytes);
  return videoExtensions.find((extension) => extension === container);
}
