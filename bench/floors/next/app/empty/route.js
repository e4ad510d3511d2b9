/** What a Next route costs that does nothing. */
export const dynamic = 'force-dynamic';

export function GET() {
  return Response.json({});
}
