import { auth } from '@/src/accounts/auth';

export const dynamic = 'force-dynamic';

function handle(request: Request): Promise<Response> {
  return auth(request.headers).handler(request);
}

export { handle as GET, handle as POST };
