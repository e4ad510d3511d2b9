import { initTRPC } from '@trpc/server';
import type { OpenApiMeta } from 'trpc-to-openapi';
import { directWriter, type Writer } from '../database/writer';
import { ApiError, type ErrorCode, toApiError } from './errors';
import { type Principal, requireScope } from './principal';
import { requireRoom } from './quota';
import type { RequiredScope } from './scopes';

/** What every procedure is given. */
export type Context = {
  principal: Principal | null;
  /** The scope that is known to be there, so that it is looked for once. */
  checkedScope?: RequiredScope;
  /** What the procedure writes through. Without it, each statement stands for itself. */
  writer?: Writer;
  /** Calls the listener once nobody waits for the answer any more. */
  whenGone?: (listener: () => void) => void;
  /** Runs a procedure when it may, or throws where it may not. Without it, it runs at once. */
  admit?: Admit;
};

export type Admit = <T>(run: () => Promise<T>, procedure: { isUpload: boolean }) => Promise<T>;

/** What a procedure says about itself; the REST shell and the published document read it. */
export type Meta = OpenApiMeta<{
  /** The scope it needs. */
  scope?: RequiredScope;
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
  /** Whether it reads a file while it runs, which may take as long as the sender likes. */
  isUpload?: boolean;
}>;

const t = initTRPC
  .meta<Meta>()
  .context<Context>()
  .create({
    errorFormatter({ shape, error }) {
      // Only the table's code and message leave the service, whatever was thrown.
      const { body } = toApiError(error);
      return {
        code: shape.code,
        message: body.error.message,
        data: { code: body.error.code, httpStatus: toApiError(error).status },
      };
    },
  });

export const router = t.router;
export const createCallerFactory = t.createCallerFactory;

/**
 * For whoever is known: an API key over REST, or a session. Checks the procedure's scope, unless the
 * caller has: over REST that comes before the body. And of what writes, that the account has room.
 */
export const procedure = t.procedure.use(async ({ ctx, meta, next }) => {
  const { principal, checkedScope } = ctx;
  if (!principal) throw new ApiError('UNAUTHORIZED');
  if (meta?.scope && meta.scope !== checkedScope) requireScope(principal, meta.scope);
  const run = async () => {
    if (meta?.scope === 'write') await requireRoom(principal);
    return next({ ctx: { principal, writer: ctx.writer ?? directWriter } });
  };
  return ctx.admit ? ctx.admit(run, { isUpload: meta?.isUpload ?? false }) : run();
});

/** For the holder of an API key, never for a session: what it answers is about the key. */
export const keyProcedure = procedure.use(({ ctx, next }) => {
  const { keyId, accountId } = ctx.principal;
  if (!keyId) throw new ApiError('UNAUTHORIZED');
  return next({ ctx: { keyId, accountId } });
});

/** For a person signed in to the dashboard, never for an API key. */
export const sessionProcedure = procedure.use(({ ctx, next }) => {
  if (ctx.principal.via !== 'session') throw new ApiError('UNAUTHORIZED');
  return next();
});
