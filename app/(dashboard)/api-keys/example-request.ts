import type { Scope } from '@/src/api/scopes';

/** A curl command that works with this key as it is, and does no harm. */
export function exampleRequest(input: { key: string; scopes: Scope[]; origin: string }): string {
  const base = `${input.origin}/api/v1`;
  const authorization = `-H "Authorization: Bearer ${input.key}"`;
  if (input.scopes.includes('read')) return `curl ${base}/testimonials \\\n  ${authorization}`;
  if (input.scopes.includes('write')) {
    return [
      `curl ${base}/spaces \\`,
      `  ${authorization} \\`,
      '  -H "Content-Type: application/json" \\',
      `  -d '{"name": "My first space"}'`,
    ].join('\n');
  }
  // No space has this id, and deleting none is a success.
  const nobody = '00000000-0000-0000-0000-000000000000';
  return `curl -i -X DELETE ${base}/spaces/${nobody} \\\n  ${authorization}`;
}
