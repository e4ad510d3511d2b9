import { accountRouter } from './accounts/router';
import { router } from './api/trpc';
import { apiKeysRouter } from './api-keys/router';
import { auditRouter } from './audit/router';
import { eventsRouter } from './events/router';
import { importsRouter } from './imports/router';
import { requestsRouter } from './requests/router';
import { spacesRouter } from './spaces/router';
import { uploadsRouter } from './storage/router';
import { testModeRouter } from './test-mode/router';
import { testimonialsRouter } from './testimonials/router';
import { webhooksRouter } from './webhooks/router';

/** Every procedure of the service, for REST and dashboard alike. */
export const appRouter = router({
  testimonials: testimonialsRouter,
  spaces: spacesRouter,
  events: eventsRouter,
  imports: importsRouter,
  apiKeys: apiKeysRouter,
  account: accountRouter,
  testMode: testModeRouter,
  uploads: uploadsRouter,
  webhooks: webhooksRouter,
  requests: requestsRouter,
  audit: auditRouter,
});

export type AppRouter = typeof appRouter;
