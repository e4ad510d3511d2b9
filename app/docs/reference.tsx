'use client';
import Script from 'next/script';
import { useEffect, useRef, useState } from 'react';

/** The part of Scalar's script that is used here. */
type Scalar = {
  createApiReference(root: Element, configuration: object): { destroy(): void };
};

declare global {
  interface Window {
    Scalar?: Scalar;
  }
}

/**
 * The published document as pages to read and try out. Everything comes from this service: no
 * fonts, proxy, telemetry or assistant of anyone else.
 */
export function Reference({ script }: { script: string }) {
  const root = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading');
  useEffect(() => {
    if (state !== 'ready' || !root.current || !window.Scalar) return;
    const reference = window.Scalar.createApiReference(root.current, {
      url: '/api/v1/openapi.json',
      baseServerURL: location.origin,
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      showDeveloperTools: 'never',
      agent: { disabled: true },
      persistAuth: false,
    });
    return () => reference.destroy();
  }, [state]);
  return (
    <main style={{ minHeight: '100dvh' }}>
      <h1 className="visually-hidden">API reference</h1>
      <Script src={script} onReady={() => setState('ready')} onError={() => setState('failed')} />
      {state === 'failed' && (
        <p role="alert" style={{ padding: 24 }}>
          The reference could not be loaded. Reload the page, or read the document itself at{' '}
          <a href="/api/v1/openapi.json">/api/v1/openapi.json</a>.
        </p>
      )}
      <div ref={root} />
    </main>
  );
}
