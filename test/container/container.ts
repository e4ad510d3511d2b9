/**
 * `npm run container`: carries out the Dockerfile without a container engine, in a folder with a
 * space in its name, from the files that git knows and with the npm that Node 20 brings along; then
 * starts the last stage by its CMD, as a user who may write to the data folder and the temporary
 * folder alone. Where this is run by root, that user is another one.
 *
 * What it cannot show: the base image itself. Node is the one that runs this.
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, relative, resolve } from 'node:path';
import { z } from 'zod';
import { parseDockerfile, parseIgnoreFile, type Stage } from './dockerfile';
import { liveIn } from './life';
import { killAll, runToEnd, type Settings } from './processes';
import { buildStages, type Image, removeFolder } from './stages';

const projectFolder = resolve(__dirname, '../..');
const npmVersion = '10.8.2';
const maxInstalledBytes = 400e6;

async function main(): Promise<void> {
  process.umask(0o022);
  const folder = mkdtempSync(join(tmpdir(), 'testimonials-container-'));
  // The user of the last stage is not its owner.
  chmodSync(folder, 0o755);
  const clean = () => {
    killAll();
    removeFolder(folder);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      clean();
      process.exit(1);
    });
  }
  try {
    const stages = parseDockerfile(readFileSync(join(projectFolder, 'Dockerfile'), 'utf8'));
    await carryOut(stages, join(folder, 'clean copy'), join(folder, 'npm'));
    say('All of it holds.');
  } finally {
    clean();
  }
}

async function carryOut(stages: Stage[], folder: string, npmFolder: string): Promise<void> {
  sayVersions(stages);
  const env = buildEnvironment(join(npmFolder, 'node_modules/.bin'));
  const npm = ['npm', 'install', '--no-save', '--prefix', npmFolder, `npm@${npmVersion}`];
  mkdirSync(npmFolder);
  await runToEnd(npm, { cwd: npmFolder, env, timeoutMs: 300_000 });
  const context = join(folder, 'context');
  copyContext(context);
  const images = await buildStages({ stages, context, folder, env, say });
  const last = images.get(stages.at(-1)?.name ?? '');
  const build = images.get('build');
  if (!last || !build) throw new Error('There is no stage called build, or no last one');
  await expectSoundTree(build, env, []);
  await expectSoundTree(last, env, ['--omit=dev', '--omit=optional', '--omit=peer']);
  expectTracedFiles(last);
  expectSize(last);
  // What still pointed to where it was built would be found there.
  for (const { root } of images.values()) if (root !== last.root) removeFolder(root);
  await liveIn(last, { path: env.PATH ?? '', say });
}

function sayVersions(stages: Stage[]): void {
  const majors = new Set(stages.map(({ nodeMajor }) => nodeMajor));
  if (majors.size !== 1) throw new Error('The stages are of different versions of Node');
  say(`Node ${process.versions.node} for the base image's ${[...majors]}, npm ${npmVersion}`);
}

/** The caller's, since it may say where packages come from, without what is meant for the service. */
function buildEnvironment(npmBin: string): Settings {
  const kept = Object.entries(process.env).flatMap(([name, value]) => {
    const isNpm =
      /^npm_/i.test(name) && !/^npm_config_(registry|cache|.*proxy|cafile)$/i.test(name);
    const isService = /^(NODE_ENV|DATABASE_URL|TEST_.*|REDIS_URL|NODE_OPTIONS)$/.test(name);
    return value === undefined || isNpm || isService ? [] : [[name, value] as const];
  });
  // `npm run` puts the project's own commands there, which the image would not have.
  const path = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'));
  return {
    ...Object.fromEntries(kept),
    PATH: [npmBin, dirname(process.execPath), ...path].join(delimiter),
  };
}

/** What git knows, and .dockerignore lets in. */
function copyContext(target: string): void {
  const isTaken = parseIgnoreFile(readFileSync(join(projectFolder, '.dockerignore'), 'utf8'));
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const files = execFileSync('git', list, { cwd: projectFolder, encoding: 'utf8' }).split('\0');
  for (const file of files.filter((file) => file !== '' && isTaken(file))) {
    mkdirSync(dirname(join(target, file)), { recursive: true });
    copyFileSync(join(projectFolder, file), join(target, file));
  }
}

/** npm finds nothing that is missing, of a wrong version or too much. */
async function expectSoundTree({ workdir: cwd }: Image, env: Settings, omit: string[]) {
  const how = { cwd, env, timeoutMs: 120_000 };
  const tree = await runToEnd(['npm', 'ls', '--all', '--parseable', '--long', ...omit], how);
  const wrong = tree.split('\n').filter((line) => /INVALID|MISSING|EXTRANEOUS/.test(line));
  if (wrong.length > 0) throw new Error(`npm ls:\n${wrong.join('\n')}`);
}

const traceFile = z.object({ files: z.array(z.string()) });

/** What traces name and nothing loads. */
const unused = [
  // Next's package for pictures: an empty one by our overrides, and optional.
  'node_modules/sharp/',
  // An optional package of pg, which it asks for on Cloudflare alone.
  'node_modules/pg-cloudflare/',
  // The source of what is compiled, traced because it stands below a folder that is read.
  'app/files/',
];

/** Whatever the build has found its routes to load is there. */
function expectTracedFiles({ workdir }: Image): void {
  const built = join(workdir, '.next');
  const traces = readdirSync(built, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.nft.json'),
  );
  const files = new Set<string>();
  for (const trace of traces) {
    const path = join(built, trace);
    for (const file of traceFile.parse(JSON.parse(readFileSync(path, 'utf8'))).files) {
      files.add(resolve(dirname(path), file));
    }
  }
  const there = new Set(
    readdirSync(workdir, { recursive: true, encoding: 'utf8' }).map((name) => join(workdir, name)),
  );
  const missing = [...files]
    .filter((file) => !there.has(file))
    .map((file) => relative(workdir, file))
    .filter((file) => !unused.some((folder) => file.startsWith(folder)));
  if (files.size === 0 || missing.length > 0) {
    throw new Error(`Of ${files.size} traced files there are not: ${missing.join(', ')}`);
  }
  say(`${files.size} files of ${traces.length} traces are there`);
}

function expectSize({ workdir }: Image): void {
  const sizes = new Map(
    ['.', 'node_modules', '.next'].map((name) => [name, diskBytes(workdir, name)]),
  );
  const said = [...sizes].map(([name, bytes]) => `${name} ${Math.round(bytes / 1e6)} MB`);
  say(`Installed: ${said.join(', ')}`);
  if ((sizes.get('.') ?? 0) > maxInstalledBytes) {
    throw new Error(`More than ${maxInstalledBytes / 1e6} MB are installed`);
  }
}

function diskBytes(folder: string, name: string): number {
  const printed = execFileSync('du', ['-sk', name], { cwd: folder, encoding: 'utf8' });
  return Number.parseInt(printed, 10) * 1024;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
