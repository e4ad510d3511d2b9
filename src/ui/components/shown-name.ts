/** White space, and what has no picture of its own: the empty Braille pattern too. */
const unseen = /^[\s\p{Control}\p{Format}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** The name of something or somebody, or what stands for one of which nobody sees anything. */
export function shownName(name: string): string {
  return unseen.test(name) ? 'Unnamed' : name;
}
