import { randomBytes } from 'node:crypto';
import { type NextRequest, NextResponse } from 'next/server';
import { addressHeader } from './app/sign-in/next-path';
import { ApiError } from './src/api/errors';
import { isBehindHttps } from './src/api/origin';
import { nonceHeader, pagePolicy } from './src/ui/page-policy';

/**
 * Gives each page its Content-Security-Policy with a nonce of its own. Next reads it from the
 * request and puts the nonce on every script that it writes into the page. And tells it its
 * address, to which whoever has to sign in first comes back.
 */
export function proxy(request: NextRequest): NextResponse {
  if (!pageMethods.includes(request.method)) return refuseMethod();
  const nonce = randomBytes(16).toString('base64');
  // biome-ignore lint/style/noProcessEnv: the build puts a constant in its place.
  const policy = pagePolicy(nonce, { isDevelopment: process.env.NODE_ENV === 'development' });
  const headers = new Headers(request.headers);
  headers.set('Content-Security-Policy', policy);
  headers.set(nonceHeader, nonce);
  const { pathname, searchParams } = request.nextUrl;
  headers.set(addressHeader, searchParams.size > 0 ? `${pathname}?${searchParams}` : pathname);
  const response = failedPage.test(pathname)
    ? NextResponse.rewrite(new URL(missingPage, request.url), { request: { headers } })
    : NextResponse.next({ request: { headers } });
  response.headers.set('Content-Security-Policy', policy);
  if (isBehindHttps(request.headers)) {
    response.headers.set('Strict-Transport-Security', 'max-age=63072000');
  }
  return response;
}

const pageMethods = ['GET', 'HEAD'];

/**
 * The address that Next gives the page it draws where another has failed. To whoever asked for it that
 * answered 500, which caches in between might keep for a year.
 */
const failedPage = /^\/_global-error\/?$/;
const missingPage = '/_not-found';

/** Next would draw the page, and whoever has left `/api/v1` out of an address would take that for done. */
function refuseMethod(): NextResponse {
  const { apiCode: code, message, status } = new ApiError('METHOD_NOT_ALLOWED');
  const headers = { Allow: pageMethods.join(', '), 'Cache-Control': 'no-store' };
  return NextResponse.json({ error: { code, message } }, { status, headers });
}

// Pages alone. What is excluded here is neither slowed down nor has its body copied.
export const config = {
  matcher: ['/((?!api(?:/|$)|files/|_next/|icon\\.svg$|llms\\.txt$).*)'],
};
