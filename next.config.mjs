// Pages load nothing from elsewhere and can be shown in no frame. Scripts and styles in the page
// itself are allowed: Next and the component library write them, and a nonce for them would need
// code in front of every request.
const contentSecurityPolicy = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "object-src 'none'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** @type {import('next').NextConfig} */
const config = {
  // A redirect would lose the Authorization header.
  skipTrailingSlashRedirect: true,
  poweredByHeader: false,
  // Of the app alone, so that a build needs neither tests nor what they are made with.
  typescript: { tsconfigPath: 'tsconfig.build.json' },
  // No page shows pictures that need another size, and /_next/image would decode for anyone
  // whatever an upload holds. With this it answers 404.
  images: { unoptimized: true },
  // Loaded as they are: pg and pino find their own parts at run time.
  serverExternalPackages: ['pino', 'pg', 'better-auth'],
  headers: async () => [
    {
      // The REST API and uploaded files have their own, and files of a build are not pages.
      source: '/((?!api/v1|files/|_next/static).*)',
      headers: [
        { key: 'Content-Security-Policy', value: contentSecurityPolicy },
        { key: 'X-Content-Type-Options', value: 'nosniff' },
        { key: 'X-Frame-Options', value: 'DENY' },
        { key: 'Referrer-Policy', value: 'same-origin' },
        { key: 'Cross-Origin-Opener-Policy', value: 'same-origin' },
        { key: 'Permissions-Policy', value: 'camera=(), microphone=(), geolocation=()' },
      ],
    },
  ],
  // Loaded by the process that extracts audio, which is not bundled.
  outputFileTracingIncludes: {
    '/api/v1/*': [
      './node_modules/mediabunny/package.json',
      './node_modules/mediabunny/dist/modules/**/*.js',
    ],
  },
};

export default config;
