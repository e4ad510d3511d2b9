import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { listen } from '../helpers/listening';

const attribute = z.object({
  key: z.string(),
  value: z.looseObject({ stringValue: z.string().optional(), intValue: z.number().optional() }),
});

const body = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: z.array(attribute) }),
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.looseObject({
              traceId: z.string(),
              spanId: z.string(),
              parentSpanId: z.string().optional(),
              name: z.string(),
              kind: z.number(),
              attributes: z.array(attribute),
              status: z.looseObject({ code: z.number().optional() }),
            }),
          ),
        }),
      ),
    }),
  ),
});

type CollectedSpan = {
  traceId: string;
  spanId: string;
  parentSpanId?: string | undefined;
  name: string;
  facts: Record<string, string | number | undefined>;
  service: string | number | undefined;
  hasFailed: boolean;
};

export type Collector = {
  url: string;
  spans: CollectedSpan[];
  /** Everything as it came, headers included. */
  received: string[];
  close(): Promise<void>;
};

/** An OTLP collector on the loopback interface. */
export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const received: string[] = [];
  const server = createServer(async (request, response) => {
    const sent = await text(request);
    received.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)} ${sent}`);
    for (const { resource, scopeSpans } of body.parse(JSON.parse(sent)).resourceSpans) {
      const service = factsOf(resource.attributes)['service.name'];
      for (const span of scopeSpans.flatMap((scope) => scope.spans)) {
        const { traceId, spanId, parentSpanId, name, attributes, status } = span;
        const hasFailed = status.code === 2;
        const facts = factsOf(attributes);
        spans.push({ traceId, spanId, parentSpanId, name, facts, service, hasFailed });
      }
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  return {
    url: `http://127.0.0.1:${await listen(server)}`,
    spans,
    received,
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function factsOf(attributes: z.infer<typeof attribute>[]) {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]),
  );
}
