import '@/src/ui/mantine.css';
import '@/src/ui/global.css';
import { ColorSchemeScript, mantineHtmlProps } from '@mantine/core';
import type { Metadata, Viewport } from 'next';
import { headers } from 'next/headers';
import type { ReactNode } from 'react';
import { nonceHeader } from '@/src/ui/page-policy';
import { AppearanceProvider } from '@/src/ui/providers';
import { Started } from '@/src/ui/started';
import { FirstScripts } from './first-scripts';

export const metadata: Metadata = {
  title: { default: 'Testimonials', template: '%s · Testimonials' },
  description: 'Collect testimonials, moderate them, and use them anywhere through an API.',
  robots: { index: false },
};

export const viewport: Viewport = {
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#fafafa' },
    { media: '(prefers-color-scheme: dark)', color: '#141517' },
  ],
};

/** Reads the nonce, and so renders every page for its request: a page kept from before has none. */
export default async function RootLayout({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get(nonceHeader) ?? undefined;
  return (
    <html lang="en" {...mantineHtmlProps}>
      <head>
        <FirstScripts nonce={nonce} />
        <ColorSchemeScript defaultColorScheme="auto" nonce={nonce} />
      </head>
      <body>
        <AppearanceProvider>{children}</AppearanceProvider>
        <Started />
      </body>
    </html>
  );
}
