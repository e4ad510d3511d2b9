import type { Env } from '../../env';

/** The variables whose values are secrets, by their names; of all others, the passwords in addresses are. */
const secretName = /SECRET|TOKEN|HEADERS|_KEY\b|_KEY_/;

/** Whatever a server's complaint may repeat: no secret of ours gets onto the screen. */
export function hiderOf(settings: Env): (line: string) => string {
  const secrets = Object.entries(settings)
    .flatMap(([name, value]) =>
      secretName.test(name) ? textsOf(value) : textsOf(value).flatMap(passwordsIn),
    )
    .filter((secret) => secret !== '')
    // Of one that begins another, the rest of that would stay.
    .sort((one, other) => other.length - one.length);
  return (line) => secrets.reduce((text, secret) => text.replaceAll(secret, '…'), line);
}

function textsOf(value: Env[keyof Env] | undefined): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' ? Object.values(value) : [];
}

/** As it stands in an address, and as it is meant. */
function passwordsIn(text: string): string[] {
  if (!URL.canParse(text)) return [];
  const { password } = new URL(text);
  return [password, decoded(password)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
