'use client';
import '@scalar/api-reference/style.css';
import { useEffect, useRef, useState } from 'react';

/**
 * The published document as pages to read and try out. Everything comes from this service: no
 * fonts, proxy, telemetry or assistant of anyone else.
 */
export function Reference() {
  const root = useRef<HTMLDivElement>(null);
  const [hasFailed, setHasFailed] = useState(false);
  useEffect(() => {
    let destroy: (() => void) | undefined;
    let isGone = false;
    void (async () => {
      const { createApiReference } = await import('@scalar/api-reference');
      if (isGone || !root.current) return;
      const reference = createApiReference(root.current, {
        url: '/api/v1/openapi.json',
        baseServerURL: location.origin,
        withDefaultFonts: false,
        telemetry: false,
        hideClientButton: true,
        showDeveloperTools: 'never',
        agent: { disabled: true },
        persistAuth: false,
      });
      destroy = () => reference.destroy();
    })().catch(() => setHasFailed(true));
    return () => {
      isGone = true;
      destroy?.();
    };
  }, []);
  return (
    <main style={{ minHeight: '100dvh' }}>
      <h1 className="visually-hidden">API reference</h1>
      {hasFailed && (
        <p role="alert" style={{ padding: 24 }}>
          The reference could not be loaded. Reload the page, or read the document itself at{' '}
          <a href="/api/v1/openapi.json">/api/v1/openapi.json</a>.
        </p>
      )}
      <div ref={root} />
    </main>
  );
}
