/** @type {import('next').NextConfig} */
const config = {
  // A redirect would lose the Authorization header.
  skipTrailingSlashRedirect: true,
  poweredByHeader: false,
  // Loaded as they are: pg and pino find their own parts at run time.
  serverExternalPackages: ['pino', 'pg', 'better-auth'],
  // Loaded by the process that extracts audio, which is not bundled.
  outputFileTracingIncludes: {
    '/api/v1/*': [
      './node_modules/mediabunny/package.json',
      './node_modules/mediabunny/dist/modules/**/*.js',
    ],
  },
};

export default config;
