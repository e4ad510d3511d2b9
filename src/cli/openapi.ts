/** `npm run --silent openapi [-- FILE]`: writes the published OpenAPI document, by default to standard output. */
import { writeFileSync } from 'node:fs';
import { openApiDocument } from '../rest/openapi/document';

const [file, ...rest] = process.argv.slice(2);
if (rest.length > 0 || file?.startsWith('-')) {
  process.stderr.write('Usage: npm run --silent openapi [-- FILE]\n');
  process.exit(2);
}
const document = `${JSON.stringify(JSON.parse(openApiDocument()), null, 2)}\n`;
if (file) writeFileSync(file, document);
else process.stdout.write(document);
