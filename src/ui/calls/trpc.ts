'use client';
import type { inferRouterOutputs } from '@trpc/server';
import { createTRPCContext } from '@trpc/tanstack-react-query';
import type { AppRouter } from '@/src/router';

export const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<AppRouter>();

/** What procedures answer, as it arrives in a browser: instants are ISO 8601 text. */
export type Outputs = inferRouterOutputs<AppRouter>;
