import type { Instrumentation } from 'next';
import { digestOf } from './src/error-parts';

/**
 * Says of a page that could not be made what the log says of any request that failed. `digest` is the
 * reference that the page shows. Next's own dozen lines of text are switched off by `npm start`.
 */
export const onRequestError: Instrumentation.onRequestError = async (error, _, { routePath }) => {
  // Next builds this for its other runtime as well, in which nothing here runs, and says of each part that
  // it could not: so none is in it.
  // biome-ignore lint/style/noProcessEnv: the build puts a constant in its place.
  if (process.env.NEXT_RUNTIME !== 'nodejs') return;
  // Every function of a platform has this file, and starts the sooner for what it does not load.
  const { toApiError } = await import('./src/api/errors');
  const { logFailure } = await import('./src/api/failure-log');
  logFailure({ page: routePath, digest: digestOf(error) }, toApiError(error), 'page failed');
};
