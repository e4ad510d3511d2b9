import { openApiDocument } from '@/src/rest/openapi/document';
import { llmsText } from '@/src/rest/openapi/llms';

// The document names the address and the limits of the service that runs, not of the one that builds.
export const dynamic = 'force-dynamic';

let text: string | undefined;

export function GET(): Response {
  text ??= llmsText(JSON.parse(openApiDocument()));
  return new Response(text, {
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-cache' },
  });
}
