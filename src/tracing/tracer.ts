import { singleton } from '../singleton';

export type Facts = Record<string, string | number>;

/** A piece of work while it is done. */
export type Span = {
  name(name: string): void;
  set(facts: Facts): void;
  /** Marks it as failed; `error` is told by its name alone, for messages may quote what people wrote. */
  fail(error?: unknown): void;
};

/** What a caller sends of the trace that it belongs to. W3C Trace Context, sections 3.2 and 3.3. */
export type TraceHeaders = { traceparent?: string | null; tracestate?: string | null };

export type Tracer = {
  /** Traces a task that others asked for, as part of their trace where they name one. */
  serve<T>(from: TraceHeaders, name: string, task: (span: Span) => Promise<T>): Promise<T>;
  /** Traces a request that we send, within the trace that it belongs to, or as one of its own. */
  send<T>(name: string, facts: Facts, task: (span: Span) => Promise<T>): Promise<T>;
  /** Begins a statement of the database; undefined outside of any trace. `end` it once. */
  statement(text: string): { end: (error?: unknown) => void } | undefined;
};

function held() {
  return singleton<{ tracer: Tracer | undefined }>('tracer', () => ({ tracer: undefined }));
}

/** Undefined where nothing is traced. */
export function tracer(): Tracer | undefined {
  return held().tracer;
}

export function setTracer(tracer: Tracer | undefined): void {
  held().tracer = tracer;
}
