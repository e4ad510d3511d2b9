/** @type {import('next').NextConfig} */
const config = {
  // A redirect would lose the Authorization header.
  skipTrailingSlashRedirect: true,
  poweredByHeader: false,
  // Loaded as they are: pg and pino find their own parts at run time.
  serverExternalPackages: ['pino', 'pg', 'better-auth'],
};

export default config;
