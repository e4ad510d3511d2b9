/** The request header that tells the layout the nonce of the page. */
export const nonceHeader = 'x-nonce';

/**
 * The Content-Security-Policy of a page. Of elsewhere it loads nothing but the pictures and videos
 * that testimonials and spaces name, by https, and it can be shown in no frame. One policy for all
 * pages: going from page to page, a browser keeps that of the first. Scripts run only with the nonce. Styles are written into elements by the
 * component library, where no nonce can stand. In development React builds functions from text.
 * W3C Content Security Policy Level 3.
 */
export function pagePolicy(nonce: string, { isDevelopment }: { isDevelopment: boolean }): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'${isDevelopment ? " 'unsafe-eval'" : ''}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob: https:",
    "media-src 'self' https:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}
