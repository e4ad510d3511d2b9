import { createHash } from 'node:crypto';
import { singleton } from '../singleton';
import { buildId } from './build-id';
import { openApiDocument } from './openapi/document';

/** All that an answer to a GET depends on. */
type Described = {
  accountId: string;
  /** The account's, from before the answer was read. */
  version: string;
  path: string;
  search: string;
};

/**
 * The strong entity tag of an answer. Another address has another tag, and so has another build,
 * which may have mended the body. RFC 9110, section 8.8.3.
 */
export function entityTag({ accountId, version, path, search }: Described): string {
  const described = [buildId(), accountId, version, path, search].join('\n');
  return `"${digest(described)}"`;
}

/** The tag of the published document, by what it says. */
export function documentTag(): string {
  return singleton('document-tag', () => `"${digest(openApiDocument())}"`);
}

/** Whether an If-None-Match header lists the tag. RFC 9110, section 13.1.2: compared weakly. */
export function includesTag(ifNoneMatch: string | null | undefined, tag: string): boolean {
  if (!ifNoneMatch) return false;
  return ifNoneMatch.split(',').some((listed) => listed.trim().replace(/^W\//, '') === tag);
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
