import { handleAuthRequest } from '@/src/accounts/requests';

export const dynamic = 'force-dynamic';

export { handleAuthRequest as GET, handleAuthRequest as POST };
