import { z } from 'zod';
import { ownerOf } from '../api/principal';
import { router, sessionProcedure } from '../api/trpc';
import { waitingMails } from '../mail/queue';
import { mailSettings } from '../mail/settings';
import { getAccount } from './accounts';
import { account, endSessionInput, mailState, session } from './schema';
import { endOtherSessions, endSession, listSessions } from './sessions';

/**
 * About the account of the person, in both modes. What asks for a password, or counts tries by address,
 * is under `/api/auth`: `auth/requests.ts`.
 */
export const accountRouter = router({
  get: sessionProcedure.output(account).query(({ ctx }) => getAccount(ownerOf(ctx.principal))),

  mail: sessionProcedure.output(mailState).query(async ({ ctx }) => ({
    is_on: mailSettings() !== undefined,
    ...(await waitingMails(ownerOf(ctx.principal))),
  })),

  sessions: router({
    list: sessionProcedure
      .output(z.array(session))
      .query(({ ctx }) => listSessions(ownerOf(ctx.principal), ctx.principal.sessionId)),

    end: sessionProcedure
      .input(endSessionInput)
      .output(z.void())
      .mutation(({ ctx, input }) => endSession(ownerOf(ctx.principal), input.id)),

    endOthers: sessionProcedure.output(z.object({ ended: z.int() })).mutation(async ({ ctx }) => ({
      ended: await endOtherSessions(ownerOf(ctx.principal), ctx.principal.sessionId),
    })),
  }),
});
