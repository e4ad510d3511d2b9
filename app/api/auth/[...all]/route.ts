import { handleAuthRequest } from '@/src/accounts/requests';
import { withCappedBody } from '@/src/api/body';

export const dynamic = 'force-dynamic';

function handle(request: Request): Promise<Response> {
  return withCappedBody(request, handleAuthRequest);
}

export { handle as GET, handle as POST };
