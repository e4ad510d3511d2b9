import type { IncomingMessage } from 'node:http';
import type { TRPCError } from '@trpc/server';
import type { NodeHTTPResponse } from '@trpc/server/adapters/node-http';
import { createOpenApiNodeHttpHandler } from 'trpc-to-openapi';
import type { Context } from '../api/trpc';
import { appRouter } from '../router';

/** What is left of a request once the shell has checked it. */
export type MountedCall = {
  method: string;
  path: string;
  query: Record<string, unknown>;
  body: Record<string, unknown> | undefined;
  context: Context;
};

type MountedRequest = IncomingMessage & { context: Context; failed: (error: TRPCError) => void };

/** Built once: it indexes every procedure. */
const handler = createOpenApiNodeHttpHandler<typeof appRouter, MountedRequest, NodeHTTPResponse>({
  router: appRouter,
  createContext: async ({ req }) => req.context,
  onError: ({ error, req }) => req.failed(error),
});

const jsonHeaders = new Headers({ 'content-type': 'application/json' });

/**
 * Has trpc-to-openapi find the procedure of a call and run it. Returns the answer as JSON,
 * undefined where the procedure returns nothing.
 * @throws whatever the procedure threw, as a TRPCError
 */
export function dispatch(call: MountedCall): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const response = {
      statusCode: 200,
      setHeader: () => {},
      // After an error this comes too, with the library's own error body; the promise is settled.
      end: (body: string | undefined) => resolve(body),
    };
    const request = asRequest(call, reject);
    // The handler reads and writes no more of a request and a response than stands here; their
    // whole types belong to sockets.
    handler(request, response as unknown as NodeHTTPResponse).catch(reject);
  });
}

/**
 * The handler takes a parsed body from what is `instanceof Request`. A real one would be built and
 * serialised only to be parsed again.
 */
function asRequest(call: MountedCall, failed: (error: TRPCError) => void): MountedRequest {
  // A value alone would be dropped where it is falsy, so each stands in an array.
  const query = Object.fromEntries(Object.entries(call.query).map(([k, value]) => [k, [value]]));
  const values = {
    method: call.method,
    url: call.path,
    headers: jsonHeaders,
    signal: undefined,
    query,
    body: call.body,
    context: call.context,
    failed,
  };
  return Object.create(
    Request.prototype,
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }])),
  );
}
