'use client';

/** Stands in for everything, the layout included, so it uses nothing of it. */
export default function GlobalError({ retry }: { retry: () => void }) {
  return (
    <html lang="en">
      <body
        style={{ font: '1rem/1.5 system-ui, sans-serif', padding: '3rem', textAlign: 'center' }}
      >
        <title>Testimonials</title>
        <h1 style={{ fontSize: '1.25rem' }}>The service could not show this page</h1>
        <p>Something went wrong on our side, and nothing was changed.</p>
        <button type="button" onClick={retry}>
          Try again
        </button>
      </body>
    </html>
  );
}
