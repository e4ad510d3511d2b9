import { AsyncResource } from 'node:async_hooks';
import type { Pool } from 'pg';
import { tracer } from '../../tracing/tracer';

/**
 * Runs a statement of the driver, as a span where it is part of a trace: its text, and none of its
 * values. `parameters` are those of the driver's `query`, which may end in a callback.
 */
export function traceStatement(
  parameters: unknown[],
  run: (parameters: unknown[]) => unknown,
): unknown {
  const statement = tracer()?.statement(textOf(parameters[0]));
  if (!statement) return run(parameters);
  const callback = parameters.at(-1);
  if (typeof callback === 'function') {
    const ended = (error: unknown, ...rest: unknown[]) => {
      statement.end(error);
      return callback(error, ...rest);
    };
    return run([...parameters.slice(0, -1), ended]);
  }
  const result = run(parameters);
  if (result instanceof Promise) {
    result.then(
      () => statement.end(),
      (error: unknown) => statement.end(error),
    );
  } else statement.end();
  return result;
}

/**
 * Has what asks the pool go on in its own trace: the pool calls whoever waited from the trace of
 * whoever gave its connection back.
 */
export function keepTrace(pool: Pool): void {
  if (!tracer()) return;
  const connect = pool.connect;
  Object.defineProperty(pool, 'connect', {
    value: (callback?: (...args: unknown[]) => void) =>
      Reflect.apply(connect, pool, callback ? [AsyncResource.bind(callback)] : []),
  });
}

function textOf(statement: unknown): string {
  if (typeof statement === 'string') return statement;
  const isConfig = typeof statement === 'object' && statement !== null && 'text' in statement;
  return isConfig && typeof statement.text === 'string' ? statement.text : '';
}
