'use client';
import Script from 'next/script';
import { useEffect, useRef, useState } from 'react';
import { TextLink } from '@/app/text-link';
import { Logo } from '@/src/ui/logo';
import './contrast.css';
import classes from './reference.module.css';
import { keepRepaired } from './reference-repairs';

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
      authentication: { preferredSecurityScheme: 'apiKey' },
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      // Ours is followed; its own switch would change half of the page.
      forceDarkModeState: document.documentElement.dataset.mantineColorScheme,
      // Each operation shows its own; in the list of all of them buttons stand within buttons.
      hideModels: true,
      showDeveloperTools: 'never',
      agent: { disabled: true },
      persistAuth: false,
    });
    const stopRepairing = keepRepaired(document.body);
    const scheme = new MutationObserver(applyScheme);
    scheme.observe(document.documentElement, { attributeFilter: ['data-mantine-color-scheme'] });
    return () => {
      scheme.disconnect();
      stopRepairing();
      reference.destroy();
    };
  }, [state]);
  return (
    <main className={classes.root}>
      <header className={classes.bar}>
        <Logo size={22} />
        <h1 className={classes.title}>API reference</h1>
        <TextLink href="/">Dashboard</TextLink>
      </header>
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

/** The reference reads the classes of the body, and sets them only once. */
function applyScheme() {
  const scheme = document.documentElement.dataset.mantineColorScheme;
  for (const name of ['light', 'dark']) {
    document.body.classList.toggle(`${name}-mode`, name === scheme);
  }
}
