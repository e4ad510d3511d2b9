import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { z } from 'zod';

/** A function as a platform packs it: a route of the build, and every file that it may load. */
export type BuiltFunction = {
  /** The file of its route in `app`, without what it is: `api/v1/[[...path]]`. */
  name: string;
  /** Loaded by the platform's launcher. Relative to the project, as all of its files. */
  entry: string;
  /** Files and symbolic links. */
  files: string[];
};

export const projectFolder = resolve(__dirname, '../..');
const serverFolder = join(projectFolder, '.next/server/app');

/** Of what Next loads with every function. */
const instrumentation = join(projectFolder, '.next/server/instrumentation.js.nft.json');

const withFiles = z.object({ files: z.array(z.string()) });

/** What Next gives every function under a second name, for a launcher to begin with. */
export const setupNodeEnv = {
  source: 'node_modules/next/dist/build/adapter/setup-node-env.external.js',
  target: 'node_modules/next/setup-node-env.js',
};

/**
 * The functions of `.next`, by name: of every route and page, what Next's own adapters are given.
 * @throws Error where nothing is built
 */
export function builtFunctions(): BuiltFunction[] {
  const shared = join(projectFolder, '.next/required-server-files.json');
  if (!existsSync(shared)) throw new Error('There is no build. Run "npm run build" first.');
  const { files: required } = withFiles.parse(readJson(shared));
  const sharedFiles = [...required, ...tracedBy(instrumentation)];
  const traces = readdirSync(serverFolder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /(?:^|\/)(?:route|page)\.js\.nft\.json$/.test(path))
    .sort();
  return traces.map((path) => {
    const trace = join(serverFolder, path);
    const entry = relative(projectFolder, trace.replace(/\.nft\.json$/, ''));
    return {
      name: path.replace(/\/?(?:route|page)\.js\.nft\.json$/, ''),
      entry,
      files: [...new Set([entry, ...sharedFiles, setupNodeEnv.source, ...tracedBy(trace)])].sort(),
    };
  });
}

/** What is loaded by what was traced, relative to the project. */
function tracedBy(trace: string): string[] {
  return withFiles
    .parse(readJson(trace))
    .files.map((file) => relative(projectFolder, resolve(dirname(trace), file)));
}

/** Of all files of a function, unpacked. */
export function bytesOf({ files }: BuiltFunction): number {
  return files
    .map((file) => statSync(join(projectFolder, file)))
    .reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0);
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}
