/** `npm run --silent openapi [-- FILE]`: the published OpenAPI document. */
import { writeFileSync } from 'node:fs';
import { z } from 'zod';
import { sayingWhere } from '../file-system/unfinished';
import { openApiDocument } from '../rest/openapi/document';
import { fileOption, readOptions, runAsProcess, type Script } from './script';

export const openApiScript: Script = {
  opensDatabase: false,
  usage: `Writes the OpenAPI document, as the service publishes it.

  npm run --silent openapi [-- openapi.json]

  The file is overwritten; without one, the document goes to standard output.`,

  read(args, terminal) {
    const { file } = readOptions(args, z.object({ file: fileOption.optional() }), { bare: 'file' });
    return async () => {
      const document = JSON.stringify(JSON.parse(openApiDocument()), null, 2);
      if (!file) return terminal.print(document);
      try {
        writeFileSync(file, `${document}\n`);
      } catch (error) {
        throw sayingWhere(file, error);
      }
      terminal.say(`The document is in ${file}.`);
    };
  },
};

if (require.main === module) void runAsProcess(openApiScript);
