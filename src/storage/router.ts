import { octetInputParser } from '@trpc/server/http';
import { router, sessionProcedure, whereThereIsRoom } from '../api/trpc';
import type { FileKind } from './file-type';
import { type StoredFile, storeUpload } from './upload';

/**
 * Uploads from the dashboard, one procedure per kind of file. The input is the file itself, as a
 * Blob or File: it is streamed, so the client needs a link that does not batch.
 */
export const uploadsRouter = router({
  avatar: upload('avatar'),
  thumbnail: upload('thumbnail'),
  logo: upload('logo'),
  video: upload('video'),
});

function upload(kind: FileKind) {
  return sessionProcedure
    .meta({ scope: 'write', isUpload: true })
    .input(octetInputParser)
    .use(whereThereIsRoom)
    .mutation(
      ({ ctx, input }): Promise<StoredFile> =>
        storeUpload(ctx.principal.accountId, kind, input.values({ preventCancel: true })),
    );
}
