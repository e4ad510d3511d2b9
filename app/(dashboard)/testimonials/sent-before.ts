import { type Decision, decidedStatuses } from './decisions';
import { type Status, statuses } from './view';

const storageName = 'inbox-sent';

/** Whoever comes back to the tab later than that may not remember what was decided, in ms. */
const validMs = 600_000;

/**
 * Keeps in the tab what is sent and not answered, for the page that is loaded next: the service may
 * render that one before it saves what the last page sent as it was left.
 */
export function keepSent(decisions: readonly Decision[]): void {
  const sent = [...decidedStatuses(decisions.filter(({ isSent }) => isSent))];
  const head = `${performance.timeOrigin} ${Date.now()}`;
  const lines = sent.map(([id, status]) => `${id} ${status}`);
  if (sent.length > 0) sessionStorage.setItem(storageName, [head, ...lines].join('\n'));
  else sessionStorage.removeItem(storageName);
}

/** What the page that was loaded before this one sent without being told of an answer; once. */
export function takeSentBefore(): Map<string, Status> {
  const [head = '', ...lines] = (sessionStorage.getItem(storageName) ?? '').split('\n');
  const [page, atMs] = head.split(' ').map(Number);
  const isOwn = page === performance.timeOrigin;
  const sent = new Map<string, Status>();
  if (isOwn || atMs === undefined) return sent;
  sessionStorage.removeItem(storageName);
  if (Date.now() - atMs > validMs) return sent;
  for (const line of lines) {
    const [id, text] = line.split(' ');
    const status = statuses.find((one) => one === text);
    if (id && status) sent.set(id, status);
  }
  return sent;
}
