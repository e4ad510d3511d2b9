import { getAccount } from './accounts/accounts';
import { ownerPrincipal } from './accounts/auth/session';
import { testAccountIdOf } from './accounts/test-account';
import { walkStart } from './api/cursor';
import { ApiError } from './api/errors';
import { rerunIfLarge } from './api/large-answers';
import { isOwnOrigin } from './api/origin';
import { listApiKeys } from './api-keys/api-keys';
import { listAuditEntries } from './audit/audit';
import { log } from './logging/log';
import { accountParameter } from './mode';
import { singleton } from './singleton';
import { listSpacesInput, spacePage } from './spaces/schema';
import { listSpaces } from './spaces/spaces';
import { listTestimonials } from './testimonials/list';
import { listTestimonialsInput, testimonialPage } from './testimonials/schema';
import { listDeliveries } from './webhooks/deliveries';
import type { DeliveryPage } from './webhooks/delivery-schema';
import { listEndpoints } from './webhooks/endpoints';

/** Rows read at once, however many there are; one may have 300 kB. */
const limit = 50;

/** After so long without a page taken, a browser has left, and nobody was told. */
const leftAfterMs = 60_000;

/**
 * For so long nobody asks whether who began it is still signed in. Far less than the rows of a closed
 * account stay, so that a file without them has no end.
 */
const knownForMs = 5000;

/** An export that is being read. */
type Reading = { accountId: string; pageTakenAt: number; knownAt: number };

/** One of an account, in this process. */
const underWay = () => singleton('account-exports', () => new Map<string, Reading>());

/** Undefined while another is being read. */
function beginReading(accountId: string): Reading | undefined {
  const present = underWay().get(accountId);
  if (present && performance.now() - present.pageTakenAt < leftAfterMs) return undefined;
  const now = performance.now();
  const reading = { accountId, pageTakenAt: now, knownAt: now };
  underWay().set(accountId, reading);
  return reading;
}

/** False once it has ended, or another has taken its place. */
function isUnderWay(reading: Reading): boolean {
  return underWay().get(reading.accountId) === reading;
}

function endReading(reading: Reading): void {
  if (isUnderWay(reading)) underWay().delete(reading.accountId);
}

/**
 * Everything that an account has, as a file of JSON lines, `{ kind, data }`: the account, its keys
 * without the keys themselves, spaces, testimonials, endpoints without their secrets, what became of
 * their deliveries, and who changed keys and endpoints; each as the API or the dashboard has it. Test
 * data follows, of kinds that begin with `test_`, so that it is never taken for the other. The last
 * line has the kind `end`, so that a file that broke off can be told. It is read as fast as the
 * browser takes it, a page at a time, and one at a time for an account.
 */
export async function handleExportRequest(request: Request): Promise<Response> {
  // A page of another site may link here, and is not to have a person's browser read it all.
  if (!isOwnOrigin(request.headers)) return note(403, 'This is for pages of the service alone.');
  const principal = await ownerPrincipal(request.headers);
  if (!principal) {
    return new Response(null, { status: 303, headers: { Location: '/sign-in?next=/account' } });
  }
  const shown = new URL(request.url).searchParams.get(accountParameter);
  if (shown !== null && shown !== principal.accountId) {
    return note(409, 'Another account was signed in to meanwhile. Load the page again.');
  }
  const day = new Date().toISOString().slice(0, 10);
  const headers = {
    'Content-Type': 'application/x-ndjson; charset=utf-8',
    'Content-Disposition': `attachment; filename="testimonials-account-${day}.jsonl"`,
    'Cache-Control': 'no-store',
  };
  // Nobody would read it, and the next would be kept out as by one that was left.
  if (request.method === 'HEAD') return new Response(null, { headers });
  const reading = beginReading(principal.accountId);
  if (!reading) return note(409, 'An export of this account is under way. Wait until it is done.');
  const { accountId } = principal;
  const isSignedIn = async () => (await ownerPrincipal(request.headers))?.accountId === accountId;
  return new Response(asStream(accountLines(accountId), reading, isSignedIn), { headers });
}

async function* accountLines(accountId: string): AsyncGenerator<string> {
  yield line('account', { id: accountId, ...(await getAccount(accountId)) });
  yield* dataLines(accountId, '');
  const testAccountId = await testAccountIdOf(accountId);
  if (testAccountId !== undefined) yield* dataLines(testAccountId, 'test_');
  yield line('end', { exported_at: new Date().toISOString() });
}

/** What an account has, in kinds that begin with `prefix`. */
async function* dataLines(accountId: string, prefix: string): AsyncGenerator<string> {
  yield* lines(`${prefix}api_key`, await listApiKeys(accountId));
  yield* walk(`${prefix}space`, (cursor) =>
    rerunIfLarge(accountId, async () =>
      spacePage.parse(await listSpaces({ accountId }, listSpacesInput.parse({ limit, cursor }))),
    ),
  );
  yield* walk(`${prefix}testimonial`, (cursor) =>
    rerunIfLarge(accountId, async () =>
      testimonialPage.parse(
        await listTestimonials({ accountId }, listTestimonialsInput.parse({ limit, cursor })),
      ),
    ),
  );
  const endpoints = await listEndpoints(accountId);
  yield* lines(`${prefix}webhook_endpoint`, endpoints);
  for (const { id } of endpoints) {
    yield* walkLog(`${prefix}webhook_delivery`, (cursor) =>
      rerunIfLarge(accountId, () => deliveriesOf(accountId, id, cursor)),
    );
  }
  yield* walkLog(`${prefix}audit_entry`, (cursor) =>
    rerunIfLarge(accountId, () => listAuditEntries(accountId, { limit, cursor })),
  );
}

/** None of an endpoint that was deleted since it was listed: they went with it. */
async function deliveriesOf(
  accountId: string,
  endpoint_id: string,
  cursor: string | null,
): Promise<DeliveryPage> {
  try {
    return await listDeliveries(accountId, { endpoint_id, limit, cursor });
  } catch (error) {
    const isGone = error instanceof ApiError && error.apiCode === 'WEBHOOK_ENDPOINT_NOT_FOUND';
    if (!isGone) throw error;
    return { data: [], next_cursor: null };
  }
}

type Listed = { data: object[]; pagination: { next_cursor?: string | null | undefined } };

async function* walk(
  kind: string,
  read: (cursor: string) => Promise<Listed>,
): AsyncGenerator<string> {
  let cursor: string | null | undefined = walkStart;
  while (cursor) {
    const page: Listed = await read(cursor);
    yield* lines(kind, page.data);
    cursor = page.pagination.next_cursor;
  }
}

/** The pages of a log. */
async function* walkLog(
  kind: string,
  read: (cursor: string | null) => Promise<{ data: object[]; next_cursor: string | null }>,
): AsyncGenerator<string> {
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof read>> = await read(cursor);
    yield* lines(kind, page.data);
    cursor = page.next_cursor;
  } while (cursor !== null);
}

function lines(kind: string, rows: object[]): string[] {
  return rows.length > 0 ? [rows.map((row) => line(kind, row)).join('')] : [];
}

function line(kind: string, data: object): string {
  return `${JSON.stringify({ kind, data })}\n`;
}

/** Read only when it is asked for more, and no further than who asks is signed in. */
function asStream(
  pieces: AsyncGenerator<string>,
  reading: Reading,
  isSignedIn: () => Promise<boolean>,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await pieces.next();
          if (performance.now() - reading.knownAt > knownForMs) {
            reading.knownAt = performance.now();
            if (!(await isSignedIn())) {
              endReading(reading);
              throw new Error('Who began it was signed out.');
            }
          }
          if (!isUnderWay(reading)) throw new Error('The browser had left.');
          reading.pageTakenAt = performance.now();
          if (!done) return controller.enqueue(encoder.encode(value));
          controller.close();
        } catch (error) {
          if (isUnderWay(reading)) log().error({ err: error }, 'an export broke off');
          controller.error(error);
        }
        endReading(reading);
      },
      async cancel() {
        endReading(reading);
        await pieces.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

function note(status: number, text: string): Response {
  return new Response(`${text}\n`, {
    status,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
  });
}
