import { PHASE_DEVELOPMENT_SERVER } from 'next/constants.js';

// Loaded by the process that extracts audio, which is not bundled.
const demuxer = [
  './node_modules/mediabunny/package.json',
  './node_modules/mediabunny/dist/bundles/mediabunny.node.cjs',
];

/** @type {(phase: string) => import('next').NextConfig} */
const config = (phase) => ({
  // A redirect would lose the Authorization header.
  skipTrailingSlashRedirect: true,
  poweredByHeader: false,
  // In development; at its usual place it lies on the menu of the account.
  devIndicators: { position: 'bottom-right' },
  // Of the app alone, so that a build needs neither tests nor what they are made with.
  typescript: { tsconfigPath: 'tsconfig.build.json' },
  // No page shows pictures that need another size, and /_next/image would decode for anyone
  // whatever an upload holds. With this it answers 404.
  images: { unoptimized: true },
  experimental: {
    // A service that runs from TypeScript has Node read the map of every module it loads, and those
    // of a build weigh more than the build.
    turbopackSourceMaps: phase === PHASE_DEVELOPMENT_SERVER,
    // By default a page is sent the same component in several files, to spare requests: a fifth of
    // its script. One person opens page after page, over one connection.
    turbopackChunking: { requestCost: 10_000, minChunkSize: 5_000 },
  },
  // Loaded as they are: pg and pino find their own parts at run time.
  serverExternalPackages: ['pino', 'pg', 'better-auth', 'nodemailer'],
  // What browsers ask for by themselves, as where a page is left before it has named its icon.
  redirects: async () => [{ source: '/favicon.ico', destination: '/icon.svg', permanent: true }],
  headers: async () => [
    {
      // The REST API and uploaded files have their own, and files of a build are not pages.
      source: '/((?!api/v1(?:/|$)|files/|_next/static).*)',
      headers: [
        { key: 'X-Content-Type-Options', value: 'nosniff' },
        { key: 'X-Frame-Options', value: 'DENY' },
        { key: 'Referrer-Policy', value: 'same-origin' },
        { key: 'Cross-Origin-Opener-Policy', value: 'same-origin' },
        { key: 'Permissions-Policy', value: 'camera=(), microphone=(), geolocation=()' },
      ],
    },
    {
      // Pages have theirs from proxy.ts; what answers data has nothing to load.
      source: '/api((?!/v1(?:/|$)).*)',
      headers: [
        { key: 'Content-Security-Policy', value: "default-src 'none'; frame-ancestors 'none'" },
      ],
    },
  ],
  // Of every function that makes transcripts: in a request, or as something that is due.
  outputFileTracingIncludes: {
    '/api/v1/*': demuxer,
    '/api/cron': demuxer,
    '/api/trpc/*': demuxer,
    '/api/auth/*': demuxer,
  },
});

export default config;
