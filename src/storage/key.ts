import { randomUUID } from 'node:crypto';
import { contentTypes, type Extension, type FileKind, fileKinds } from './file-type';

/** A key has this form and no other: `{kind}/{account_id}/{uuid}.{ext}`, in lower case. */
const uuidPattern = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const kindPattern = `(${fileKinds.join('|')})`;
const namePattern = `${uuidPattern}[.](${Object.keys(contentTypes).join('|')})`;

const keyPattern = new RegExp(`^${kindPattern}/${uuidPattern}/${namePattern}$`);

/**
 * What stands before and after the account id in a key, and the key of any account after the last of
 * what stands before it, as regular expressions for Postgres; and how long a key is at most.
 */
export const keyPatternParts = {
  before: `^${kindPattern}/`,
  after: `/${namePattern}$`,
  atEnd: `/(${kindPattern}/${uuidPattern}/${namePattern})$`,
  characters: 100,
};

const endPattern = new RegExp(keyPatternParts.atEnd);

/** A key for a new file of the account. */
export function makeKey(kind: FileKind, accountId: string, extension: Extension): string {
  return `${kind}/${accountId}/${randomUUID()}.${extension}`;
}

/** Whether the service may have made this key. Nothing else is ever read or removed. */
export function isKey(text: string): boolean {
  return keyPattern.test(text);
}

/** The key that an address ends with; undefined where it ends with none. */
export function keyAtEnd(url: string): string | undefined {
  return endPattern.exec(url)?.[1];
}

/** What a file is served as. `key` must be a key. */
export function contentTypeOf(key: string): string {
  const extension = key.slice(key.lastIndexOf('.') + 1);
  return new Map<string, string>(Object.entries(contentTypes)).get(extension) ?? '';
}
