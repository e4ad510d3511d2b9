/**
 * What the reference's own markup gets wrong for screen readers, and how it is put right. Each
 * repair is harmless where a later version of the reference has made its own.
 */
const repairs: { selector: string; repair: (element: Element) => void }[] = [
  // Entries of the sidebar: `aria-selected` is for tabs and options, and says nothing of a button.
  {
    selector: 'button[aria-selected]:not([role])',
    repair: (entry) => {
      const isCurrent = entry.getAttribute('aria-selected') === 'true';
      entry.removeAttribute('aria-selected');
      if (isCurrent) entry.setAttribute('aria-current', 'true');
      else entry.removeAttribute('aria-current');
    },
  },
  // As a landmark the button that opens the search has no name; as a button it has its text.
  // As `none` it is still reached by keyboard, but its label is not read out.
  {
    selector: 'button[role="search"], button[role="none"]',
    repair: (button) => button.removeAttribute('role'),
  },
  // Their text is there on hover and focus only: the language of the code, or `Copy`.
  { selector: '[class~="group/copy-button"]', repair: named(copyName) },
  // They point to a block that is never given the id.
  {
    selector: '[class~="group/copy-button"][aria-controls]',
    repair: (button) => {
      const id = button.getAttribute('aria-controls');
      if (id && !document.getElementById(id)) button.removeAttribute('aria-controls');
    },
  },
  // On narrow screens only an icon is left of it.
  {
    selector: 'button.client-libraries__select',
    repair: named((button) => button.textContent?.trim() || 'More client libraries'),
  },
  // A list of tabs may hold nothing else, and this one has a button among them that opens a menu.
  { selector: '.client-libraries-list', repair: gatherTabs },
  // The name has to hold the text that is seen, for those who speak it.
  { selector: 'button.show-more', repair: named(seenAndMeant) },
  // Fields with a list of matches below, which is there as long as they are.
  {
    selector: 'input[role="combobox"]:not([aria-expanded])',
    repair: (input) => input.setAttribute('aria-expanded', 'true'),
  },
  {
    selector: 'input[role="combobox"]:not([aria-label])',
    repair: named((input) => input.getAttribute('placeholder') || 'Search'),
  },
  // Cells of the tables in which requests are put together.
  {
    selector: 'td input[type="checkbox"]:not([aria-label])',
    repair: named(cellName),
  },
  {
    selector: '.cm-content[role="textbox"]:not([aria-label])',
    repair: named((box) => cellName(box) || sectionName(box) || 'Text'),
  },
  { selector: 'td button.scalar-button:not([aria-label])', repair: named(clearName) },
  // Reached by keyboard all the same, but not every tool knows that of what can be edited.
  {
    selector: '.cm-content[contenteditable="true"]:not([tabindex])',
    repair: (box) => box.setAttribute('tabindex', '0'),
  },
  // What cannot be edited cannot have the focus either, and then does not scroll by keyboard.
  {
    selector: '.cm-scroller[tabindex="-1"]:has(> .cm-content[contenteditable="false"])',
    repair: (scroller) => scroller.setAttribute('tabindex', '0'),
  },
];

/** Repairs what is in the page and whatever is rendered from now on, until the returned is called. */
export function keepRepaired(root: Element): () => void {
  const repairAll = () => {
    for (const { selector, repair } of repairs) {
      for (const element of root.querySelectorAll(selector)) repair(element);
    }
  };
  const observer = new MutationObserver(() => {
    repairAll();
    // Its own changes are done with.
    observer.takeRecords();
  });
  observer.observe(root, {
    subtree: true,
    childList: true,
    attributeFilter: ['aria-selected', 'aria-controls', 'role', 'contenteditable'],
  });
  repairAll();
  return () => observer.disconnect();
}

function named(name: (element: Element) => string): (element: Element) => void {
  return (element) => {
    const text = name(element);
    if (text && element.getAttribute('aria-label') !== text) {
      element.setAttribute('aria-label', text);
    }
  };
}

/** Hands the role of the list of tabs to an element beside them, which owns the tabs alone. */
function gatherTabs(list: Element): void {
  let owner = list.querySelector(':scope > [role="tablist"]');
  if (!owner) {
    owner = list.appendChild(document.createElement('span'));
    for (const name of ['role', 'aria-orientation', 'aria-labelledby']) {
      owner.setAttribute(name, list.getAttribute(name) ?? '');
      list.removeAttribute(name);
    }
  }
  const tabs = [...list.querySelectorAll('[role="tab"]')].map((tab) => tab.id).join(' ');
  if (owner.getAttribute('aria-owns') !== tabs) owner.setAttribute('aria-owns', tabs);
}

/** `Copy cURL`, or `Copy`. */
function copyName(button: Element): string {
  const texts = [...button.querySelectorAll(':not(:has(*))')].map((leaf) => leaf.textContent);
  const language = texts.find((text) => text?.trim() && text.trim() !== 'Copy');
  return language ? `Copy ${language.trim()}` : 'Copy';
}

/** `Show More: Show all Spaces endpoints`. */
function seenAndMeant(element: Element): string {
  const seen = element.textContent?.trim() ?? '';
  const meant = element.getAttribute('aria-label') ?? '';
  return meant.includes(seen) ? meant : `${seen}: ${meant}`;
}

/** `Value: space_id`, from the head of the column and the row's parameter; empty outside a table. */
function cellName(element: Element): string {
  const cell = element.closest('td');
  const row = cell?.parentElement;
  if (!cell || !row) return '';
  const column = [...row.children].indexOf(cell);
  const head = row.closest('table')?.querySelectorAll('th')[column]?.textContent?.trim();
  return [head, row.id].filter(Boolean).join(': ');
}

/** `Clear: space_id`, where the button has no text but a drawing. */
function clearName(button: Element): string {
  if (button.textContent?.trim()) return '';
  return ['Clear', button.closest('tr')?.id].filter(Boolean).join(': ');
}

function sectionName(element: Element): string {
  return element.closest('section')?.querySelector('h2')?.textContent?.trim() ?? '';
}
