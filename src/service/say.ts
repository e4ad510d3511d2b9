import { defaultDataFolder, type Env } from '../env';

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/**
 * Lets the process go on, and stop when it is told to, where what it prints is taken by nobody any
 * more: its log's reader has gone, its terminal was closed, the disk is full. Unheard, each line of
 * it would be an uncaught exception, which is printed, which is the next one.
 */
export function surviveUnheard(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}

/** What to do with a service that is ready. */
export function sayWhatNext(port: number, settings: Env): void {
  const url = new URL(settings.PUBLIC_URL ?? `http://localhost:${port}`).origin;
  say(`
Ready at ${url}

  Dashboard      ${url}
  API reference  ${url}/docs
  API            ${url}/api/v1

Sign up in the dashboard and make a key there, or make an account and a key, in another terminal${sameSettings(settings)}:

  npm run --silent account -- create --email you@example.com --password 'at least 8 characters'
  KEY=$(npm run --silent api-key -- create --email you@example.com --scopes read,write,delete)

and a first request:

  curl -H "Authorization: Bearer $KEY" ${url}/api/v1/testimonials
`);
}

/** The commands find the database by the same variables as this process. */
function sameSettings({ DATABASE_URL, DATA_FOLDER }: Env): string {
  if (DATABASE_URL) return ' with the same DATABASE_URL';
  return DATA_FOLDER === defaultDataFolder ? '' : ` with DATA_FOLDER=${DATA_FOLDER}`;
}
