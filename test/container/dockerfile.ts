/**
 * Reads the instructions that our Dockerfile uses, in the form in which it uses them. Everything
 * else is refused, so that nothing in it is carried out in another way than an engine would.
 */
import { z } from 'zod';

export type Stage = { name: string; nodeMajor: number; instructions: Instruction[] };

export type Instruction =
  | { kind: 'WORKDIR'; path: string }
  | { kind: 'COPY'; from?: string; byNode: boolean; sources: string[]; target: string }
  | { kind: 'RUN'; command: string }
  | { kind: 'ENV'; values: Record<string, string> }
  | { kind: 'USER' }
  | { kind: 'EXPOSE'; port: number }
  | { kind: 'HEALTHCHECK'; timeoutSeconds: number; command: string[] }
  | { kind: 'CMD'; command: string[] };

/** The only user that we know to be in the base image. */
const user = 'node';

/** @throws Error that names the line where it is not one of ours. */
export function parseDockerfile(text: string): Stage[] {
  const stages: Stage[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    try {
      readLine(line, stages);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`Dockerfile, line ${index + 1}: ${reason}`);
    }
  }
  if (stages.length === 0) throw new Error('Dockerfile: there is no FROM');
  return stages;
}

/** What an engine takes from the context, by a .dockerignore that excludes all and names the rest. */
export function parseIgnoreFile(text: string): (path: string) => boolean {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const [all, ...rules] = lines;
  if (all !== '*') throw new Error('.dockerignore: the first rule is to be *');
  const odd = rules.find((rule) => !/^!?[\w.-]+(?:\/[\w.-]+)*$/.test(rule));
  if (odd) throw new Error(`.dockerignore: "${odd}" is no plain path`);
  return (path) => {
    const deciding = rules.findLast((rule) => {
      const named = rule.replace('!', '');
      return path === named || path.startsWith(`${named}/`);
    });
    return deciding?.startsWith('!') ?? false;
  };
}

function readLine(line: string, stages: Stage[]): void {
  if (/^#\s*\w+\s*=/.test(line)) throw new Error('a parser directive is not known');
  if (line === '' || line.startsWith('#')) return;
  if (line.endsWith('\\')) throw new Error('a line that goes on is not known');
  if (line.includes('$')) throw new Error('variables are not known');
  const [word = '', rest = ''] = split(line);
  if (word === 'FROM') {
    stages.push(readFrom(rest, stages));
    return;
  }
  const stage = stages.at(-1);
  if (!stage) throw new Error('it stands before FROM');
  stage.instructions.push(readInstruction(word, rest, stages.slice(0, -1)));
}

function readFrom(rest: string, earlier: Stage[]): Stage {
  const [, major, name] = /^node:(\d+)-[a-z]+-slim(?: AS ([a-z]+))?$/.exec(rest) ?? [];
  if (!major) throw new Error('FROM is to be node:<major>-<debian>-slim [AS <name>]');
  if (earlier.some((stage) => stage.name === name)) throw new Error(`${name} is there already`);
  return { name: name ?? `stage-${earlier.length}`, nodeMajor: Number(major), instructions: [] };
}

function readInstruction(word: string, rest: string, earlier: Stage[]): Instruction {
  switch (word) {
    case 'WORKDIR':
      return { kind: 'WORKDIR', path: absolute(rest) };
    case 'COPY':
      return readCopy(rest, earlier);
    case 'RUN':
      return { kind: 'RUN', command: readCommandLine(rest) };
    case 'ENV':
      return { kind: 'ENV', values: readEnv(rest) };
    case 'USER':
      if (rest !== user) throw new Error(`the user is to be ${user}`);
      return { kind: 'USER' };
    case 'EXPOSE':
      if (!/^\d+$/.test(rest)) throw new Error('EXPOSE takes one port');
      return { kind: 'EXPOSE', port: Number(rest) };
    case 'HEALTHCHECK':
      return readHealthCheck(rest);
    case 'CMD':
      return { kind: 'CMD', command: execForm(rest) };
    default:
      throw new Error(`"${word}" is not known`);
  }
}

function readCopy(rest: string, earlier: Stage[]): Instruction {
  const words = rest.split(' ');
  const options = words.filter((word) => word.startsWith('--'));
  const paths = words.slice(options.length);
  const from = options.find((option) => option.startsWith('--from='))?.slice('--from='.length);
  const byNode = options.includes(`--chown=${user}:${user}`);
  if (options.length !== (from ? 1 : 0) + (byNode ? 1 : 0)) throw new Error('an unknown option');
  if (from && !earlier.some((stage) => stage.name === from)) throw new Error(`no stage "${from}"`);
  if (
    paths.some((path) => path === '' || /[*?[\]"]/.test(path) || path.split('/').includes('..'))
  ) {
    throw new Error('COPY takes plain paths');
  }
  const target = paths.pop();
  if (!target || paths.length === 0) throw new Error('COPY takes sources and a target');
  if (paths.length > 1 && !target.endsWith('/')) throw new Error('the target is to end in /');
  for (const path of paths) {
    if (path.startsWith('/') !== (from !== undefined)) {
      throw new Error('sources are absolute in a stage, and relative in the context');
    }
  }
  return { kind: 'COPY', from, byNode, sources: paths, target };
}

/** The interpreter has no root folder of its own: an absolute path would be the machine's. */
function readCommandLine(rest: string): string {
  if (rest === '' || rest.startsWith('[') || rest.startsWith('--')) {
    throw new Error('RUN takes a line for the shell');
  }
  if (/(?:^|[\s'"=:;&|<>()])\//.test(rest)) throw new Error('RUN is to name relative paths');
  return rest;
}

function readEnv(rest: string): Record<string, string> {
  return Object.fromEntries(
    rest.split(' ').map((pair) => {
      const [, name, value] = /^([A-Z_]+)=([\w./:-]+)$/.exec(pair) ?? [];
      if (!name || !value) throw new Error('ENV takes NAME=value, without quotes');
      return [name, value];
    }),
  );
}

function readHealthCheck(rest: string): Instruction {
  const pattern =
    /^--interval=\d+s --timeout=(?<timeout>\d+)s --start-period=\d+s --retries=\d+ CMD (?<command>.+)$/;
  const { timeout, command } = pattern.exec(rest)?.groups ?? {};
  if (!timeout || !command) {
    throw new Error('HEALTHCHECK takes interval, timeout, start period, retries and CMD');
  }
  return {
    kind: 'HEALTHCHECK',
    timeoutSeconds: Number(timeout),
    command: execForm(command),
  };
}

/** A form without a shell between the signals and the process. */
function execForm(text: string): string[] {
  if (!text.startsWith('[')) throw new Error('the command is to be a JSON array');
  const command = z.array(z.string()).min(1).parse(JSON.parse(text));
  if (command[0] !== 'node') throw new Error('the command is to be node');
  return command;
}

function absolute(path: string): string {
  if (!/^(?:\/[\w.-]+)+$/.test(path)) throw new Error('the path is to be absolute and plain');
  return path;
}

/** The first word, and what follows it. */
function split(line: string): [string, string] {
  const [, word = '', rest = ''] = /^(\S+)\s*(.*)$/.exec(line) ?? [];
  return [word, rest];
}
