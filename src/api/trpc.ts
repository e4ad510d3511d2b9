import { initTRPC } from '@trpc/server';
import type { OpenApiMeta } from 'trpc-to-openapi';
import type { Writer } from '../database/writer';
import type { Mode } from '../mode';
import { ApiError, type ErrorCode, toApiError } from './errors';
import { modeOf, type Principal, requireScope } from './principal';
import { requireRoom } from './quota';
import { neededScopes, type RequiredScope } from './scopes';
import { accountWriter } from './write-turns';

/** What every procedure is given. */
export type Context = {
  principal: Principal | null;
  /** What the page that calls shows. Undefined where none does. */
  shownMode?: Mode;
  /** The scope that is known to be there, so that it is looked for once. */
  checkedScope?: RequiredScope;
  /** Whether what is unknown within a field is refused as well: `Prefer: handling=strict`. */
  isStrict?: boolean;
  /** What the procedure writes through. Without it, each statement stands for itself. */
  writer?: Writer;
  /** Calls the listener once nobody waits for the answer any more. */
  whenGone?: (listener: () => void) => void;
  /** Throws what the same request would be refused with by now. For what waits before it reads. */
  requireAccess?: () => Promise<void>;
  /** The same, where the request has taken its time: before it writes, and once it has read. */
  requireAccessStill?: () => Promise<void>;
  /** Of a page that may send the same again, since an answer can be lost. */
  once?: Once;
  /** Runs a procedure when it may, or throws where it may not. Without it, it runs at once. */
  admit?: Admit;
};

/** With the same key a change is made once, and a second call is told what the first was. */
export type Once = {
  /** Its Idempotency-Key. */
  key: string;
  /** Answers with what `run` makes of it, or with what that was before; throws whatever `run` throws. */
  answer(
    procedure: { path: string; input: unknown; isSecret: boolean },
    run: (writer: Writer) => Promise<unknown>,
  ): Promise<unknown>;
};

type Admit = <Result extends { data: unknown }>(
  run: () => Promise<Result>,
  procedure: { isUpload: boolean },
) => Promise<Result>;

/** What a procedure says about itself; the REST shell and the published document read it. */
export type Meta = OpenApiMeta<{
  /** The scope it needs, or the scopes. */
  scope?: RequiredScope;
  /** False for what writes, and adds nothing to what the account stores. */
  needsRoom?: boolean;
  /** Whether it changes testimonials that are there, for which the quota leaves more room. */
  isModeration?: boolean;
  /** Whether its answer tells a secret: under an Idempotency-Key it is kept encrypted. */
  isSecret?: boolean;
  /**
   * Whether what it answers to an Idempotency-Key of a page is kept, as that of every POST of the API is:
   * it writes through its writer alone.
   */
  isKept?: boolean;
  /** Whether a POST may come without a body, where no field of it is required. */
  isBodyOptional?: boolean;
  /** Whether REST wraps what it answers as `data`; the pages get it bare. */
  isEnveloped?: boolean;
  /** Status of success over REST. */
  success?: 200 | 201 | 204;
  /** What it may answer besides the errors that every operation has. */
  errors?: ErrorCode[];
  /**
   * What success carries where it is no JSON: `text/csv; charset=utf-8`. The procedure then returns a
   * `byteStream`, which is sent as it comes, and never kept.
   */
  contentType?: string;
  /** False for a read whose answer may change while the account's testimonials and spaces do not. */
  conditional?: boolean;
  /** Whether browsers of other origins may call it (contract, section 4, CORS). */
  cors?: boolean;
  /** Whether a page in the other mode than its session may call it. */
  isOfAnyMode?: boolean;
  /** Whether it reads a file while it runs, which may take as long as the sender likes. */
  isUpload?: boolean;
}>;

const t = initTRPC
  .meta<Meta>()
  .context<Context>()
  .create({
    errorFormatter({ shape, error }) {
      // Only the table's code and message leave the service, whatever was thrown.
      const { body, status } = toApiError(error);
      return {
        code: shape.code,
        message: body.error.message,
        data: { code: body.error.code, httpStatus: status },
      };
    },
  });

/** Whether the operation may add to what the account stores, and so is refused where that is full. */
export function needsRoom({ scope, needsRoom = true }: NonNullable<Meta>): boolean {
  return needsRoom && scope !== undefined && neededScopes(scope).includes('write');
}

export const router = t.router;
export const createCallerFactory = t.createCallerFactory;

/**
 * For whoever is known: an API key over REST, or a session. Checks the procedure's scope, unless the
 * caller has: over REST that comes before the body. A page that shows the other mode than its session
 * is in reads and writes nothing.
 */
export const procedure = t.procedure.use(async ({ ctx, meta, path, type, getRawInput, next }) => {
  const { principal, checkedScope, shownMode, once } = ctx;
  if (!principal) throw new ApiError('UNAUTHORIZED');
  if (shownMode !== undefined && shownMode !== modeOf(principal) && !meta?.isOfAnyMode) {
    throw new ApiError('MODE_CHANGED');
  }
  if (meta?.scope && meta.scope !== checkedScope) requireScope(principal, meta.scope);
  const call = (writer: Writer) => next({ ctx: { principal, writer } });
  const results: Awaited<ReturnType<typeof call>>[] = [];
  const runWith = async (writer: Writer) => {
    const result = await call(writer);
    results.push(result);
    // For `admit` and `answer`, which see a failure by what is thrown alone.
    if (!result.ok) throw result.error;
    // A read may have waited for its turn. Of what is written that is asked before it is.
    if (type === 'query') await ctx.requireAccessStill?.();
    return result;
  };
  const run = async () => {
    const isKept = meta?.openapi?.method === 'POST' || meta?.isKept;
    if (!once || !isKept)
      return runWith(ctx.writer ?? accountWriter(principal.accountId, ctx.requireAccessStill));
    const asked = { path, input: await getRawInput(), isSecret: meta?.isSecret ?? false };
    const data = await once.answer(asked, async (writer) => (await runWith(writer)).data);
    // Where the answer is an earlier one, the run has failed: its result takes the earlier data.
    const [result] = results;
    if (!result) throw new ApiError('INTERNAL_ERROR');
    return { ...result, ok: true as const, data };
  };
  return ctx.admit ? ctx.admit(run, { isUpload: meta?.isUpload ?? false }) : run();
});

/**
 * Refuses what needs room where the account has none. Each procedure that `needsRoom` uses it behind
 * its input: what is not valid is told so, however full the account is.
 */
export const whereThereIsRoom = t.middleware(async ({ ctx: { principal }, meta, next }) => {
  if (principal && meta && needsRoom(meta)) {
    await requireRoom(principal, { isModeration: meta.isModeration });
  }
  return next();
});

/** For the holder of an API key, never for a session: what it answers is about the key. */
export const keyProcedure = procedure.use(({ ctx, next }) => {
  const { keyId, accountId } = ctx.principal;
  if (!keyId) throw new ApiError('UNAUTHORIZED');
  return next({ ctx: { keyId, accountId, mode: modeOf(ctx.principal) } });
});

/** For a person signed in to the dashboard, never for an API key. */
export const sessionProcedure = procedure.use(({ ctx, next }) => {
  if (ctx.principal.via !== 'session') throw new ApiError('UNAUTHORIZED');
  return next();
});
