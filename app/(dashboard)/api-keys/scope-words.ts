import type { Scope } from '@/src/api/scopes';

export const allScopes: Scope[] = ['read', 'write', 'delete'];

/** What a key may do and what not: `This key may read and write, and not delete.` */
export function scopesInWords(scopes: Scope[]): string {
  const may = allScopes.filter((scope) => scopes.includes(scope));
  const mayNot = allScopes.filter((scope) => !scopes.includes(scope));
  const not = mayNot.length > 0 ? `, and not ${mayNot.join(' or ')}` : '';
  return `This key may ${listed(may)}${not}.`;
}

function listed(words: string[]): string {
  return words.join(', ').replace(/, (\w+)$/, ' and $1');
}
