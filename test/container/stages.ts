/** Carries out the stages of a Dockerfile, each in a folder that stands for the image's root. */
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Instruction, Stage } from './dockerfile';
import { runToEnd, type Settings } from './processes';

/** An image as far as it goes: its files, and how what is in it is started. */
export type Image = {
  root: string;
  workdir: string;
  /** Paths in it are those of `root`. */
  env: Settings;
  isUnprivileged: boolean;
  port?: number;
  healthCheck?: { timeoutMs: number; command: string[] };
  command?: string[];
};

/** Whom a process of the image runs as where we may choose, as `node` in the base image. */
export const nodeUser = { uid: 1000, gid: 1000 };

/** Whether this process may give files to others and start processes as others. */
export const isRoot = process.getuid?.() === 0;

/** No step of ours takes half as long on a slow machine. */
const runTimeoutMs = 20 * 60_000;

/**
 * Builds all stages from the files of `context`, with roots in `folder`, and returns them by name.
 * `env` is what commands have besides the image's own. Throws where a step fails.
 */
export async function buildStages(options: {
  stages: Stage[];
  context: string;
  folder: string;
  env: Settings;
  say: (line: string) => void;
}): Promise<Map<string, Image>> {
  const images = new Map<string, Image>();
  for (const { name, instructions } of options.stages) {
    const root = join(options.folder, name);
    mkdirSync(join(root, 'tmp'), { recursive: true });
    chmodSync(join(root, 'tmp'), 0o1777);
    const image: Image = { root, workdir: root, env: {}, isUnprivileged: false };
    for (const instruction of instructions) {
      await carryOut(instruction, image, { ...options, images });
    }
    images.set(name, image);
  }
  return images;
}

type Surroundings = Parameters<typeof buildStages>[0] & { images: Map<string, Image> };

async function carryOut(
  instruction: Instruction,
  image: Image,
  surroundings: Surroundings,
): Promise<void> {
  switch (instruction.kind) {
    case 'WORKDIR':
      image.workdir = join(image.root, instruction.path);
      mkdirSync(image.workdir, { recursive: true });
      break;
    case 'COPY':
      copy(instruction, image, surroundings);
      break;
    case 'RUN':
      if (image.isUnprivileged) throw new Error('RUN after USER is not known');
      surroundings.say(`RUN ${instruction.command}`);
      await runToEnd(['/bin/sh', '-c', instruction.command], {
        cwd: image.workdir,
        env: { ...surroundings.env, ...image.env },
        timeoutMs: runTimeoutMs,
      });
      break;
    case 'ENV':
      for (const [name, value] of Object.entries(instruction.values)) {
        image.env[name] = value.startsWith('/') ? join(image.root, value) : value;
      }
      break;
    case 'USER':
      image.isUnprivileged = true;
      break;
    case 'EXPOSE':
      image.port = instruction.port;
      break;
    case 'HEALTHCHECK':
      image.healthCheck = {
        timeoutMs: instruction.timeoutSeconds * 1000,
        command: instruction.command,
      };
      break;
    case 'CMD':
      image.command = instruction.command;
      break;
  }
}

/** A folder gives what is in it, as for an engine; owner and group are root's, or those of `node`. */
function copy(
  { from, byNode, sources, target }: Extract<Instruction, { kind: 'COPY' }>,
  image: Image,
  { images, context }: Surroundings,
): void {
  const sourceRoot = from === undefined ? context : images.get(from)?.root;
  if (sourceRoot === undefined) throw new Error(`There is no stage "${from}"`);
  const to = target.startsWith('/') ? join(image.root, target) : join(image.workdir, target);
  for (const source of sources) {
    const path = join(sourceRoot, source);
    if (!existsSync(path)) throw new Error(`COPY: there is no ${source}`);
    if (statSync(path).isDirectory()) {
      if (sources.length > 1) throw new Error('COPY: a folder is to be the only source');
      mkdirSync(to, { recursive: true });
      execFileSync('cp', ['-R', '-P', '-p', `${path}/.`, to]);
    } else {
      const file = target.endsWith('/') ? join(to, basename(source)) : to;
      mkdirSync(dirname(file), { recursive: true });
      cpSync(path, file);
    }
  }
  if (byNode && isRoot) execFileSync('chown', ['-R', `${nodeUser.uid}:${nodeUser.gid}`, to]);
}

/**
 * Takes from everybody the right to write below `image.root`, but for `writable`, which stand for
 * the folders that are mounted: a file system that is read-only.
 */
export function makeReadOnly(image: Image, writable: string[]): void {
  execFileSync('chmod', ['-R', 'a-w', image.root]);
  for (const folder of writable) execFileSync('chmod', ['-R', 'u+w', folder]);
  chmodSync(join(image.root, 'tmp'), 0o1777);
}

/** Removes what `makeReadOnly` would keep. */
export function removeFolder(folder: string): void {
  execFileSync('chmod', ['-R', 'u+w', folder]);
  rmSync(folder, { recursive: true, force: true });
}
