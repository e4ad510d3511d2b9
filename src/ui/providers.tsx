'use client';
import { MantineProvider } from '@mantine/core';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createTRPCClient,
  httpBatchLink,
  httpLink,
  isNonJsonSerializable,
  type Operation,
  splitLink,
} from '@trpc/client';
import { type ReactNode, useState } from 'react';
import { maxBatchSize } from '@/src/api/batch-size';
import { modeHeader } from '@/src/mode';
import type { AppRouter } from '@/src/router';
import { eitherSignal } from './browser/either-signal';
import { listenBeforeRouter } from './browser/use-stay';
import { answerLimitMs } from './calls/answer-limit';
import { lookAfterChanges } from './calls/changes-link';
import { idempotencyKeyOf, renewOnce } from './calls/once';
import { createQueryClient } from './calls/query-client';
import { TRPCProvider } from './calls/trpc';
import { noteSession } from './session/session-link';
import { ofShownAccount } from './session/shown-account';
import { type Shown, ShownProvider, useMode } from './session/shown-mode';
import { cssVariables, theme } from './theme';
import { noteServiceTime } from './time/service-clock';

listenBeforeRouter();

const url = '/api/trpc';

let ofThisBrowser: QueryClient | undefined;

/** One cache for the browser; on the server one per request, or people would share theirs. */
function queryClient(): QueryClient {
  if (typeof window === 'undefined') return createQueryClient();
  ofThisBrowser ??= createQueryClient();
  return ofThisBrowser;
}

const fetchWithinTimeout: typeof fetch = async (input, init) => {
  const late = AbortSignal.timeout(answerLimitMs(init?.body));
  const response = await fetch(input, {
    ...init,
    signal: init?.signal ? eitherSignal(init.signal, late) : late,
  });
  const { ok, status, headers } = response;
  noteServiceTime(Date.parse(headers.get('Date') ?? ''));
  // Of a page, as proxies write them, tRPC would not tell the status.
  const isJson = headers.get('Content-Type')?.includes('json');
  if (ok || isJson) return response;
  const retryAfter = headers.get('Retry-After');
  return Response.json(null, { status, headers: retryAfter ? { 'Retry-After': retryAfter } : {} });
};

/** Beyond it a browser refuses to send what may outlive the page. Fetch Standard, 64 KiB. */
const outlivingBytes = 60_000;

/** Goes on where the page is left meanwhile, if it is small. */
const fetchBeyondPage: typeof fetch = (input, init) => {
  const { body } = init ?? {};
  const keepalive = typeof body === 'string' && body.length < outlivingBytes;
  return fetchWithinTimeout(input, { ...init, keepalive });
};

export function AppearanceProvider({ children }: { children: ReactNode }) {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      {children}
    </MantineProvider>
  );
}

/**
 * What a page that calls procedures stands in; it says with each call what it shows. `renderedMs` is when
 * the server has rendered it, since 1970.
 */
export function DataProvider(props: Shown & { renderedMs: number; children: ReactNode }) {
  const { children, renderedMs, ...read } = props;
  // Before anything below says how long ago something was; once, for what comes later is older by then.
  useState(() => noteServiceTime(renderedMs));
  return (
    <ShownProvider {...read}>
      <ProcedureProvider>{children}</ProcedureProvider>
    </ShownProvider>
  );
}

function ProcedureProvider({ children }: { children: ReactNode }) {
  const mode = useMode();
  const client = queryClient();
  const [trpcClient] = useState(() => {
    const headers = { [modeHeader]: mode, ...ofShownAccount() };
    const ownHeaders = ({ op }: { op: Operation }) => {
      const key = idempotencyKeyOf(op.context);
      return key === undefined ? headers : { ...headers, 'Idempotency-Key': key };
    };
    return createTRPCClient<AppRouter>({
      links: [
        noteSession,
        lookAfterChanges(client),
        renewOnce,
        splitLink({
          // Sent at once and alone: files, what is sent while the page is left, and what has a key.
          condition: ({ input, context }) =>
            context.outlivesPage === true ||
            idempotencyKeyOf(context) !== undefined ||
            isNonJsonSerializable(input),
          true: httpLink({ url, headers: ownHeaders, fetch: fetchBeyondPage }),
          false: httpBatchLink({ url, headers, maxItems: maxBatchSize, fetch: fetchWithinTimeout }),
        }),
      ],
    });
  });
  return (
    <QueryClientProvider client={client}>
      <TRPCProvider trpcClient={trpcClient} queryClient={client}>
        {children}
      </TRPCProvider>
    </QueryClientProvider>
  );
}
