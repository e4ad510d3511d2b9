import type { Env } from '../env';
import { within } from '../time-limit';
import { addressBelow } from '../urls/address-below';
import { setTracer } from './tracer';

/**
 * Sends traces to the collector that the standard variables name; returns what stops that. Without
 * OTEL_EXPORTER_OTLP_ENDPOINT nothing is loaded, and nothing is traced. `stopMs`: how long a stopping
 * process waits for the last spans to be taken.
 */
export async function startTracing(
  settings: Env,
  { stopMs = 2_000 } = {},
): Promise<() => Promise<void>> {
  const url = tracesUrl(settings);
  if (url === undefined) return async () => {};
  const { createOtlpTracer } = await import('./otlp');
  const { tracer, shutdown } = createOtlpTracer({
    url,
    headers: {
      ...settings.OTEL_EXPORTER_OTLP_HEADERS,
      ...settings.OTEL_EXPORTER_OTLP_TRACES_HEADERS,
    },
    resource: {
      ...settings.OTEL_RESOURCE_ATTRIBUTES,
      'service.name':
        settings.OTEL_SERVICE_NAME ??
        settings.OTEL_RESOURCE_ATTRIBUTES?.['service.name'] ??
        'testimonials',
    },
    sampler: settings.OTEL_TRACES_SAMPLER,
    ratio: settings.OTEL_TRACES_SAMPLER_ARG,
  });
  setTracer(tracer);
  return async () => {
    setTracer(undefined);
    // Of a collector that is away the exporter has told already.
    const ended = shutdown().catch(() => {});
    await within(stopMs, ended, () => {});
  };
}

/** Of the two variables, the one for traces is a whole address. */
function tracesUrl(settings: Env): string | undefined {
  // OpenTelemetry reads a true or false without regard to case, and takes what is neither for false.
  const isDisabled = settings.OTEL_SDK_DISABLED?.toLowerCase() === 'true';
  if (isDisabled || settings.OTEL_TRACES_EXPORTER === 'none') return undefined;
  const { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own, OTEL_EXPORTER_OTLP_ENDPOINT: base } = settings;
  return own ?? (base === undefined ? undefined : addressBelow(base, '/v1/traces'));
}
