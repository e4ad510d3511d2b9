import { shownName } from '@/src/ui/components/shown-name';

/**
 * Whether what was typed is the name as it is shown, where several spaces are one and an accent is
 * part of its letter, and what nobody sees or could type is not there.
 */
export function isTypedName(typed: string, name: string): boolean {
  return asShown(typed) === asShown(shownName(name));
}

function asShown(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\p{Control}\p{Format}\p{Variation_Selector}]/gu, '')
    .normalize('NFC')
    .trim();
}
