import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { parseDockerfile, parseIgnoreFile } from './dockerfile';

const projectFolder = join(__dirname, '../..');
const read = (name: string) => readFileSync(join(projectFolder, name), 'utf8');
const stages = parseDockerfile(read('Dockerfile'));
const last = stages.at(-1)?.instructions ?? [];

test('the last stage starts as npm start does, without npm and a shell', () => {
  const { scripts } = z
    .object({ scripts: z.record(z.string(), z.string()) })
    .parse(JSON.parse(read('package.json')));
  const command = last.flatMap((each) => (each.kind === 'CMD' ? each.command : []));
  expect(`NODE_ENV=production exec ${command.join(' ')}`).toBe(scripts.start);
  const env = Object.assign({}, ...last.map((each) => (each.kind === 'ENV' ? each.values : {})));
  expect(env).toEqual({ NODE_ENV: 'production', DATA_FOLDER: '/data', PORT: '3000' });
});

test('it runs as a user who owns nothing but the data folder', () => {
  expect(last.filter(({ kind }) => kind === 'USER')).toHaveLength(1);
  const owned = last.filter((each) => each.kind === 'COPY' && each.byNode);
  expect(owned).toEqual([expect.objectContaining({ sources: ['/data'], target: '/data' })]);
});

test('npm finds its settings there, as commands are run by it', () => {
  const copied = last.flatMap((each) => (each.kind === 'COPY' ? each.sources : []));
  expect(copied).toEqual(expect.arrayContaining(['package.json', '.npmrc']));
});

test('the port that it exposes is the one that it listens on and is asked at', () => {
  expect(last.filter(({ kind }) => kind === 'EXPOSE')).toEqual([{ kind: 'EXPOSE', port: 3000 }]);
  const check = last.find((each) => each.kind === 'HEALTHCHECK');
  expect(check?.command.join(' ')).toContain("process.env.PORT + '/api/health'");
});

test('all stages are of one version of Node, which the service supports', () => {
  const [{ nodeMajor } = { nodeMajor: 0 }] = stages;
  expect(nodeMajor).toBeGreaterThanOrEqual(20);
  expect(new Set(stages.map((stage) => stage.nodeMajor)).size).toBe(1);
});

test('the context is what the build reads, and neither keys nor data', () => {
  const text = read('.dockerignore');
  const isTaken = parseIgnoreFile(text);
  for (const path of ['.env', '.data/secret-key', '.git/config', 'node_modules/next', '.next/x']) {
    expect([path, isTaken(path)]).toEqual([path, false]);
  }
  expect(isTaken('src/server.ts')).toBe(true);
  expect(isTaken('src/database/generated/client.ts')).toBe(false);
  expect(isTaken('src-of-another')).toBe(false);
  const named = text.split('\n').filter((line) => line.startsWith('!'));
  for (const name of named)
    expect([name, existsSync(join(projectFolder, name.slice(1)))][1]).toBe(true);
});

const from = 'FROM node:26-bookworm-slim AS build\n';

test.each([
  ['an instruction that is not known', `${from}VOLUME /data`],
  ['ENTRYPOINT', `${from}ENTRYPOINT ["node"]`],
  ['small letters', `${from}run npm ci`],
  ['an indented line', `${from} RUN npm ci`],
  ['a line that goes on', `${from}RUN npm ci \\\n  && npm run build`],
  ['a here-document with a variable', `${from}RUN echo $HOME`],
  ['a parser directive', `# syntax=docker/dockerfile:1\n${from}`],
  ['nothing', ''],
  ['an instruction before FROM', 'WORKDIR /app'],
  ['another base', 'FROM debian:bookworm-slim'],
  ['a base without a version', 'FROM node:slim'],
  ['a base by variable', 'FROM node:$MAJOR-bookworm-slim'],
  ['two stages of a name', `${from}${from}`],
  ['a stage that is not there', `${from}COPY --from=packages /app ./`],
  ['the stage itself', `${from}COPY --from=build /app ./`],
  ['an image as a stage', `${from}COPY --from=nginx:latest /etc ./`],
  ['another owner', `${from}COPY --chown=root:root src ./src`],
  ['an option of COPY', `${from}COPY --link src ./src`],
  ['a pattern', `${from}COPY *.json ./`],
  ['a path out of the context', `${from}COPY ../secret ./`],
  ['an absolute path in the context', `${from}COPY /etc/passwd ./`],
  ['a relative path in a stage', `${from}FROM node:26-bookworm-slim\nCOPY --from=build app ./`],
  ['two sources to one file', `${from}COPY package.json tsconfig.json app`],
  ['a target alone', `${from}COPY ./`],
  ['an absolute path in RUN', `${from}RUN rm -rf /data`],
  ['an absolute path in quotes', `${from}RUN find '/data' -delete`],
  ['an option of RUN', `${from}RUN --mount=type=cache,target=x npm ci`],
  ['RUN without a shell', `${from}RUN ["npm", "ci"]`],
  ['a relative folder', `${from}WORKDIR app`],
  ['a quoted value', `${from}ENV NAME="value"`],
  ['the old form of ENV', `${from}ENV NAME value`],
  ['another user', `${from}USER root`],
  ['a range of ports', `${from}EXPOSE 3000-3010`],
  ['a port of UDP', `${from}EXPOSE 3000/udp`],
  ['no health check', `${from}HEALTHCHECK NONE`],
  ['a health check in a shell', `${from}HEALTHCHECK --interval=1s --timeout=1s CMD true`],
  ['a command in a shell', `${from}CMD npm start`],
  ['another command than node', `${from}CMD ["npm", "start"]`],
])('%s is refused', (_, text) => {
  expect(() => parseDockerfile(text)).toThrow(/^Dockerfile/);
});

test.each(['src\n', '*\n!src/**\n', '*\n!/src\n', '*\nsrc/\n'])(
  'a .dockerignore of another form is refused: %j',
  (text) => {
    expect(() => parseIgnoreFile(text)).toThrow(/^\.dockerignore/);
  },
);
