/** White space, and what has no picture of its own: the empty Braille pattern too. */
const unseenStart = /^[\s\p{Control}\p{Format}\p{Default_Ignorable_Code_Point}\u2800]+/u;

/** The text from the first character on that anybody sees. */
export function fromFirstSeen(text: string): string {
  return text.replace(unseenStart, '');
}

/** The name of something or somebody, or what stands for one of which nobody sees anything. */
export function shownName(name: string): string {
  return fromFirstSeen(name) === '' ? 'Unnamed' : name;
}
