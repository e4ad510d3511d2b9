/** Loaded only where traces are wanted: the parts of OpenTelemetry, and how spans go to a collector. */
import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  createTraceState,
  DiagLogLevel,
  diag,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Env } from '../env';
import { tellOnceAMinute } from '../logging/lasting-failure';
import { log } from '../logging/log';
import type { Span, TraceHeaders, Tracer } from './tracer';

/** A statement is text of ours, but may be long. */
const maxStatementCharacters = 2_000;
const exportTimeoutMs = 10_000;

type OtlpOptions = {
  url: string;
  headers: Record<string, string>;
  resource: Record<string, string>;
  sampler: Env['OTEL_TRACES_SAMPLER'];
  /** 0 to 1, for the samplers by ratio. */
  ratio: number;
};

/** Nothing of it is global: no library finds it and adds spans of its own. */
export function createOtlpTracer(options: OtlpOptions): {
  tracer: Tracer;
  shutdown: () => Promise<void>;
} {
  diag.setLogger(complaints, DiagLogLevel.ERROR);
  const { url, headers, resource } = options;
  const exporter = new OTLPTraceExporter({ url, headers, timeoutMillis: exportTimeoutMs });
  const provider = new TracerProvider({
    resource: defaultResource().merge(resourceFromAttributes(resource)),
    sampler: samplerOf(options),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  return { tracer: createTracer(provider), shutdown: () => provider.shutdown() };
}

function createTracer(provider: TracerProvider): Tracer {
  const spans = provider.getTracer('testimonials');
  const contexts = new AsyncLocalStorage<Context>();

  async function run<T>(
    parent: Context,
    name: string,
    options: SpanOptions,
    task: (span: Span) => Promise<T>,
  ): Promise<T> {
    const span = spans.startSpan(name, options, parent);
    try {
      return await contexts.run(trace.setSpan(parent, span), () => task(wrap(span)));
    } catch (error) {
      wrap(span).fail(error);
      throw error;
    } finally {
      span.end();
    }
  }

  return {
    serve: (from, name, task) => run(contextOf(from), name, { kind: SpanKind.SERVER }, task),
    send: (name, attributes, task) =>
      run(contexts.getStore() ?? ROOT_CONTEXT, name, { kind: SpanKind.CLIENT, attributes }, task),
    statement(text) {
      const parent = contexts.getStore();
      if (!parent) return undefined;
      const [operation = ''] = /\w+/.exec(text) ?? [];
      const attributes = {
        'db.system.name': 'postgresql',
        'db.operation.name': operation,
        'db.query.text': text.slice(0, maxStatementCharacters),
      };
      const span = spans.startSpan(operation, { kind: SpanKind.CLIENT, attributes }, parent);
      return {
        end(error) {
          if (error) wrap(span).fail(error);
          span.end();
        },
      };
    },
  };
}

function wrap(span: OtelSpan): Span {
  return {
    name: (name) => span.updateName(name),
    set: (facts) => span.setAttributes(facts),
    fail(error) {
      if (error instanceof Error) span.setAttribute('error.type', error.name);
      span.setStatus({ code: SpanStatusCode.ERROR });
    },
  };
}

/** The caller's span as parent, where the caller names one that can be. */
function contextOf({ traceparent, tracestate }: TraceHeaders): Context {
  const [, version, traceId, spanId, flags] =
    /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/.exec(traceparent ?? '') ??
    [];
  if (!traceId || !spanId || !flags || version === 'ff') return ROOT_CONTEXT;
  // OpenTelemetry itself passes over ids of zeros alone, and a state of more than 512 characters.
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16) & 1,
    isRemote: true,
    ...(tracestate && { traceState: createTraceState(tracestate) }),
  });
}

function samplerOf({ sampler, ratio }: Pick<OtlpOptions, 'sampler' | 'ratio'>): Sampler {
  const byName = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
    parentbased_always_on: () => new ParentBasedSampler({ root: new AlwaysOnSampler() }),
    parentbased_always_off: () => new ParentBasedSampler({ root: new AlwaysOffSampler() }),
    parentbased_traceidratio: () =>
      new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
  };
  return byName[sampler]();
}

const complaints = {
  // A collector that is away, or refuses, does so to every batch.
  error: (reason: string) => {
    const told = 'traces are not taken';
    tellOnceAMinute(told, (times) => log().warn({ reason, times }, told));
  },
  warn: () => {},
  info: () => {},
  debug: () => {},
  verbose: () => {},
};
