import { auth } from '@/src/accounts/auth';
import { withCappedBody } from '@/src/api/body';

export const dynamic = 'force-dynamic';

function handle(request: Request): Promise<Response> {
  return withCappedBody(request, (capped) => auth(capped.headers).handler(capped));
}

export { handle as GET, handle as POST };
