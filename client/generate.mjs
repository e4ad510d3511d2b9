/**
 * Makes `src/schema.ts`, or the file that is named, of the service's OpenAPI document.
 * `npm run generate`, after `npm ci` here and in the folder above.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import openapiTypescript, { astToString, stringToAST } from 'openapi-typescript';
import ts from 'typescript';

const service = new URL('..', import.meta.url);
const script = ['run', '--silent', 'openapi'];
// A deployment's address is none of the types' business.
const env = { ...process.env, PUBLIC_URL: '' };
const published = execFileSync('npm', script, { cwd: service, env, encoding: 'utf8' });

/**
 * Without webhooks, which are no operations to call; their events are among the schemas. Without
 * examples, which are for those who read the reference.
 */
const { webhooks, ...document } = JSON.parse(published, (name, value) =>
  name === 'example' || name === 'examples' ? undefined : value,
);

const nodes = await openapiTypescript(document, {
  // What the service fills in may be left out of a request.
  defaultNonNullable: false,
  rootTypes: true,
  rootTypesNoSchemaPrefix: true,
  transform: openEnum,
});

/** By it, a test of the service tells whether the types are older than the document. */
const digest = createHash('sha256')
  .update(JSON.stringify(JSON.parse(published)))
  .digest('hex');
writeFileSync(
  process.argv[2] ?? new URL('src/schema.ts', import.meta.url),
  `// Made by \`npm run generate\`, of the document with the SHA-256 ${digest}.\n\n${astToString(nodes)}`,
);

/** `x-extensible-enum`: the known values, and any other that a later version adds. */
function openEnum({ 'x-extensible-enum': known }) {
  if (!known) return undefined;
  const union = [...known.map((value) => JSON.stringify(value)), '(string & {})'].join(' | ');
  const [alias] = stringToAST(`type Open = ${union};`);
  return ts.isTypeAliasDeclaration(alias) ? alias.type : undefined;
}
