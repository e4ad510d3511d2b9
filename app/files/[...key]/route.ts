import { serveFile } from '@/src/storage/serve';

export const dynamic = 'force-dynamic';

export { serveFile as GET, serveFile as HEAD };
