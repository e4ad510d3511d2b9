import { ApiError } from '../api/errors';
import { plain, type Writer } from '../database/writer';
import { log } from '../logging/log';
import { createSpace } from '../spaces/spaces';
import type { FileKind } from '../storage/file-type';
import { storeUpload } from '../storage/upload';
import type { CreateTestimonialInput } from '../testimonials/schema';
import { createTestimonial } from '../testimonials/testimonials';
import { sampleSpace, samples } from './sample-content';
import { type Colour, samplePicture } from './sample-pictures';
import { sampleVideo } from './sample-video';

const white = [255, 255, 255] as const;
const blue = [26, 115, 232] as const;

const grounds = [
  [214, 90, 49],
  [46, 158, 122],
  [123, 63, 228],
  [11, 114, 133],
  [156, 54, 181],
] as const;

/**
 * Makes a space with a dozen testimonials in it, as the API makes them: their events are sent to whoever
 * chose them. The video is not transcribed. Each call makes another space.
 * @throws ApiError QUOTA_EXCEEDED
 */
export async function addSamples(
  accountId: string,
  writer: Writer,
): Promise<{ space_id: string; testimonials: number }> {
  const logo_url = await stored(accountId, 'logo', samplePicture(96, 96, blue, white));
  // All files first: what is written may be one transaction, which keeps its connection.
  const colours = grounds.values();
  const inputs: Omit<CreateTestimonialInput, 'space_id'>[] = [];
  for (const { hasAvatar, hasVideo, ...sample } of samples) {
    inputs.push({
      ...sample,
      ...(hasAvatar && (await avatar(accountId, colours.next().value ?? blue))),
      ...(hasVideo && (await video(accountId))),
    });
  }
  const space = await createSpace(
    { accountId, mode: 'test' },
    { ...sampleSpace, logo_url },
    writer,
  );
  // None of these statements is the only one.
  const several: Writer = { ...writer, writeOnce: (statement) => writer.write(plain(statement)) };
  for (const input of inputs) {
    await createTestimonial(accountId, { ...input, space_id: space.id }, several);
  }
  return { space_id: space.id, testimonials: samples.length };
}

async function avatar(accountId: string, ground: Colour) {
  const picture = samplePicture(96, 96, ground, white);
  return { submitter_avatar_url: await stored(accountId, 'avatar', picture) };
}

async function video(accountId: string) {
  return {
    video_url: await stored(accountId, 'video', sampleVideo),
    video_thumbnail_url: await stored(accountId, 'thumbnail', samplePicture(160, 90, blue, white)),
  };
}

/** Undefined where files cannot be stored: samples without pictures are better than none. */
async function stored(
  accountId: string,
  kind: FileKind,
  bytes: Buffer,
): Promise<string | undefined> {
  try {
    return (await storeUpload(accountId, kind, new Blob([new Uint8Array(bytes)]).stream())).url;
  } catch (error) {
    if (error instanceof ApiError) throw error;
    log().warn({ err: error, kind }, 'file of a sample not stored');
    return undefined;
  }
}
