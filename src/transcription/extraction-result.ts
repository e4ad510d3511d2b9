import { z } from 'zod';

const audioPart = z.object({
  path: z.string(),
  fileName: z.string(),
  contentType: z.string(),
  durationSeconds: z.number(),
});

const aboutTheFile = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('extracted'), parts: z.array(audioPart) }),
  z.object({ kind: z.enum(['no-audio', 'not-demuxable', 'too-long']), reason: z.string() }),
]);

/** What the process that extracts audio sends, once. It reads what strangers have made. */
export const extractionResult = z.discriminatedUnion('kind', [
  aboutTheFile,
  z.object({ kind: z.literal('failed'), reason: z.string() }),
]);

export type AudioPart = z.infer<typeof audioPart>;
export type ExtractionResult = z.infer<typeof aboutTheFile>;
