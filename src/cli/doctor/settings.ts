import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { engines } from '../../../package.json';
import { trustedStrangersWarning, unknownProxyWarning } from '../../api/forwarded';
import { answerLive } from '../../database/health';
import type { Env } from '../../env';
import { reasonOf } from '../../error-parts';
import { readStart } from '../../outbound/answer-start';
import { keptSecretKey } from '../../secrets/secret-key';
import { bad, type Check, doubtful, type Finding, well } from './finding';

const leastNode = engines.node.replace('>=', '');
const reachMs = 5_000;
const projectFolder = resolve(__dirname, '../../..');

export function settingsChecks(settings: Env): Check[] {
  return [
    { about: 'Node.js', look: () => lookAtNode(process.versions.node) },
    { about: 'build', look: lookAtBuild },
    { about: 'SECRET_KEY', look: () => lookAtSecretKey(settings) },
    { about: 'PUBLIC_URL', look: () => lookAtPublicUrl(settings) },
    { about: 'TRUSTED_PROXIES', look: () => lookAtProxies(settings) },
    { about: 'WORKERS', look: () => lookAtWorkers(settings) },
  ];
}

function lookAtNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [leastMajor = 0, leastMinor = 0] = leastNode.split('.').map(Number);
  const isNewEnough = major > leastMajor || (major === leastMajor && minor >= leastMinor);
  return isNewEnough
    ? well('Node.js', version)
    : bad('Node.js', version, `Install ${leastNode} or newer.`);
}

function lookAtBuild(): Finding {
  return existsSync(join(projectFolder, '.next', 'BUILD_ID'))
    ? well('build', 'there')
    : bad('build', 'the pages are not built', 'Run "npm run build".');
}

function lookAtSecretKey({ SECRET_KEY, DATABASE_URL, DATA_FOLDER }: Env): Finding {
  if (SECRET_KEY) return well('SECRET_KEY', 'set');
  let kept: string | undefined;
  try {
    kept = keptSecretKey(DATA_FOLDER);
  } catch (error) {
    return bad('SECRET_KEY', reasonOf(error), 'As it says: the service does not start with it.');
  }
  const says =
    kept === undefined
      ? `not set: one is made in ${DATA_FOLDER} at the start`
      : `not set: one is kept in ${DATA_FOLDER}`;
  if (!DATABASE_URL) return well('SECRET_KEY', says);
  const mend = 'Set it, if several instances share the database, or the folder may be lost.';
  return doubtful('SECRET_KEY', says, mend);
}

async function lookAtPublicUrl({ PUBLIC_URL, SMTP_URL }: Env): Promise<Finding[]> {
  const about = 'PUBLIC_URL';
  if (!PUBLIC_URL) {
    const mend = 'Set it to the address at which people reach the service.';
    return [
      SMTP_URL
        ? bad(about, 'not set, so no mails are sent: their links begin with it', mend)
        : doubtful(about, 'not set', mend),
    ];
  }
  const { protocol, hostname, origin } = new URL(PUBLIC_URL);
  const findings: Finding[] = [];
  if (protocol === 'http:' && !['localhost', '127.0.0.1', '[::1]'].includes(hostname)) {
    const mend = 'Put a proxy that ends TLS in front, and begin it with https.';
    findings.push(doubtful(about, `${origin} is not encrypted`, mend));
  }
  try {
    const signal = AbortSignal.timeout(reachMs);
    const response = await fetch(`${origin}/api/health/live`, { signal, redirect: 'manual' });
    const isOurs = response.status === 200 && (await saysItLives(response, signal));
    const says = `${origin}/api/health/live answers ${response.status}`;
    const mend = 'See whether the proxy leads to the service.';
    findings.push(
      isOurs
        ? well(about, `${origin} answers`)
        : doubtful(about, response.status === 200 ? `${says}, and not as the service` : says, mend),
    );
  } catch (error) {
    const mend = 'Well, where the service is not started yet, or not reached from this machine.';
    findings.push(doubtful(about, `${origin} is not reached: ${reasonOf(error)}`, mend));
  }
  return findings;
}

/** Whether it is the service that answers: many a site answers every path with a page of its own. */
async function saysItLives(response: Response, signal: AbortSignal): Promise<boolean> {
  const expected = await answerLive().text();
  const { text } = await readStart(response, { maxBytes: expected.length + 1, signal });
  return text === expected;
}

function lookAtProxies(settings: Env): Finding {
  const about = 'TRUSTED_PROXIES';
  const warning = unknownProxyWarning(settings);
  if (warning) {
    const mend = 'Set it to the addresses of the proxy, if there is one.';
    return doubtful(about, 'not set, while PUBLIC_URL is', mend);
  }
  if (trustedStrangersWarning(settings)) {
    const mend = 'Set it to the addresses of the proxies alone.';
    return doubtful(about, 'has strangers among those who are trusted', mend);
  }
  const { TRUSTED_PROXIES } = settings;
  return well(about, TRUSTED_PROXIES ? TRUSTED_PROXIES.join(', ') : 'not set, nor is PUBLIC_URL');
}

function lookAtWorkers({ WORKERS }: Env): Finding {
  const cores = availableParallelism();
  if (WORKERS === 'auto' || WORKERS <= cores)
    return well('WORKERS', `${WORKERS} on ${cores} cores`);
  return doubtful('WORKERS', `${WORKERS} on ${cores} cores`, `Set ${cores} or "auto".`);
}
