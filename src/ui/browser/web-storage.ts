/** What is kept for this tab ends with it; the rest is of the browser, for all tabs and later. */
const stores = { tab: () => window.sessionStorage, browser: () => window.localStorage };

type Keeper = keyof typeof stores;

/** What a browser did not take, for as long as the page is loaded. */
const ofThisPage = new Map<string, string | null>();

const nameOf = (keeper: Keeper, name: string) => `${keeper} ${name}`;

/**
 * What was kept under the name; null where nothing was. Never throws: a browser may refuse, as one whose
 * person wants nothing stored does.
 */
export function readKept(keeper: Keeper, name: string): string | null {
  const own = ofThisPage.get(nameOf(keeper, name));
  if (own !== undefined) return own;
  try {
    return stores[keeper]().getItem(name);
  } catch {
    return null;
  }
}

/** Keeps it, or nothing any more for null. Where the browser refuses or has no room, this page remembers it. */
export function keep(keeper: Keeper, name: string, value: string | null): void {
  ofThisPage.delete(nameOf(keeper, name));
  try {
    if (value === null) stores[keeper]().removeItem(name);
    else stores[keeper]().setItem(name, value);
  } catch {
    ofThisPage.set(nameOf(keeper, name), value);
  }
}
