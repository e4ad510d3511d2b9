/** Longer headers are not looked into; the answer then says of no preference that it was applied. */
const maxCharacters = 1000;

const token = String.raw`[!#$%&'*+.^_\`|~\w-]+`;
const quoted = String.raw`"(?:[^"\\]|\\.)*"`;

/** Up to the next comma that stands in no quotes. */
const element = new RegExp(`(?:[^",]|${quoted})+`, 'g');

/** Name and value, without the parameters that may follow: `handling=strict; foo=bar`. */
const preference = new RegExp(`^\\s*(${token})\\s*(?:=\\s*(${token}|${quoted}))?\\s*(?:;|$)`);

/**
 * Whether a Prefer header asks that what we do not know is refused: `handling=strict`. Of a
 * preference that is there more than once, the first counts. RFC 7240, sections 2 and 4.4.
 */
export function asksForStrictHandling(header: string | null | undefined): boolean {
  if (!header || header.length > maxCharacters) return false;
  for (const part of header.match(element) ?? []) {
    const [, name, value] = preference.exec(part) ?? [];
    if (name?.toLowerCase() === 'handling') return value?.replace(/^"(.*)"$/, '$1') === 'strict';
  }
  return false;
}
