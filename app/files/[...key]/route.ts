import { serveFile } from '@/src/storage/serve';

export const dynamic = 'force-dynamic';

export {
  serveFile as DELETE,
  serveFile as GET,
  serveFile as HEAD,
  serveFile as OPTIONS,
  serveFile as PATCH,
  serveFile as POST,
  serveFile as PUT,
};
