import { accountRouter } from './accounts/router';
import { router } from './api/trpc';
import { apiKeysRouter } from './api-keys/router';
import { eventsRouter } from './events/router';
import { spacesRouter } from './spaces/router';
import { uploadsRouter } from './storage/router';
import { testimonialsRouter } from './testimonials/router';
import { webhooksRouter } from './webhooks/router';

/** Every procedure of the service, for REST and dashboard alike. */
export const appRouter = router({
  testimonials: testimonialsRouter,
  spaces: spacesRouter,
  events: eventsRouter,
  apiKeys: apiKeysRouter,
  account: accountRouter,
  uploads: uploadsRouter,
  webhooks: webhooksRouter,
});

export type AppRouter = typeof appRouter;
