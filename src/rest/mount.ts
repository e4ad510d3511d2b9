import type { IncomingMessage } from 'node:http';
import type { AnyTRPCProcedure, AnyTRPCRouter, TRPCError } from '@trpc/server';
import type { NodeHTTPResponse } from '@trpc/server/adapters/node-http';
import { createOpenApiNodeHttpHandler } from 'trpc-to-openapi';
import { z } from 'zod';
import { byteStream } from '../api/fields';
import { type Context, router } from '../api/trpc';
import type { Operation } from '../operations';
import { writeInSlices } from './slices';
import type { Bytes } from './utf8';

/** What is left of a request once the shell has found its operation and checked it. */
export type MountedCall = {
  operation: Operation;
  path: string;
  query: Record<string, unknown>;
  body: Record<string, unknown> | undefined;
  context: Context;
  /** Whether so much was read that it is to be written in slices. */
  isLarge: boolean;
};

type MountedRequest = IncomingMessage & {
  context: Context;
  failed: (error: TRPCError) => void;
};

type Handler = ReturnType<
  typeof createOpenApiNodeHttpHandler<AnyTRPCRouter, MountedRequest, NodeHTTPResponse>
>;

const handlers = new WeakMap<Operation, Handler>();

/** Who gets the output of a call instead of the handler, which would write it as JSON at once. */
const outputReceivers = new WeakMap<Context, (output: unknown) => void>();

/**
 * The library's handler for one operation. It matches paths by itself, in the order of declaration,
 * and among all procedures; given one procedure alone it has nothing to choose, and its pattern only
 * reads the parameters. Built once: it indexes what it is given.
 */
function handlerOf(operation: Operation): Handler {
  const built = handlers.get(operation);
  if (built) return built;
  const handler: Handler = createOpenApiNodeHttpHandler({
    router: router({ [operation.operationId]: withPathParametersOnly(operation) }),
    createContext: async ({ req }) => req.context,
    responseMeta: ({ ctx, data: [output], errors }) => {
      if (ctx && errors.length === 0) outputReceivers.get(ctx)?.(output);
      return {};
    },
    onError: ({ error, req }) => req.failed(error),
  });
  handlers.set(operation, handler);
  return handler;
}

/**
 * The procedure of an operation as the library is to see it: with an input of its path's parameters
 * alone. It goes over each field of an input with each request, and switches coercion on in its schema,
 * which is shared and stays so: `"5"` and `true` would be ratings for everyone. Integers of a query are
 * numbers before they come here, and the procedure checks all of its input itself.
 */
function withPathParametersOnly({ procedure, parameters }: Operation): AnyTRPCProcedure {
  const call = (options: Parameters<AnyTRPCProcedure>[0]) => procedure(options);
  const named = parameters.map((name) => [name, z.string()]);
  const _def = { ...procedure._def, inputs: [z.object(Object.fromEntries(named))] };
  return Object.assign(call, procedure, { _def });
}

const jsonHeaders = new Headers({ 'content-type': 'application/json' });

/**
 * Has trpc-to-openapi run the procedure of a call. Returns the answer as JSON, in slices where it is
 * large, or as the bytes of an operation with a content type; undefined where the procedure returns
 * nothing.
 * @throws whatever the procedure threw, as a TRPCError
 */
export function dispatch(
  call: MountedCall,
): Promise<string | Bytes[] | AsyncIterable<Uint8Array> | undefined> {
  const { operation, context, isLarge } = call;
  return new Promise((resolve, reject) => {
    if (operation.contentType) {
      outputReceivers.set(context, (output) => resolve(byteStream.parse(output)));
    } else if (isLarge || operation.isEnveloped) {
      outputReceivers.set(context, (output) => {
        if (typeof output !== 'object' || output === null) return;
        const answer = operation.isEnveloped ? { data: output } : output;
        resolve(isLarge ? writeInSlices(answer) : JSON.stringify(answer));
        // The handler writes it all the same, and finds this alone.
        Object.defineProperty(output, 'toJSON', { value: () => null });
      });
    }
    const response = {
      statusCode: 200,
      setHeader() {},
      // After an error this comes too, with the library's own error body; the promise is settled.
      end: resolve,
    };
    const request = asRequest(call, reject);
    // The handler reads and writes no more of a request and a response than stands here; their
    // whole types belong to sockets.
    handlerOf(operation)(request, response as unknown as NodeHTTPResponse).catch(reject);
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
    method: call.operation.method,
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
