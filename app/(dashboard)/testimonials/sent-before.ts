import { keep, readKept } from '@/src/ui/browser/web-storage';
import { type DecisionState, decidedStatuses } from './decisions';
import { type Status, statuses } from './view';

const storageName = 'inbox-sent';

/** Whoever comes back to the tab later than that may not remember what was decided, in ms. */
const validMs = 600_000;

/**
 * Keeps in the tab what is sent and not answered, for the page that is loaded next: the service may
 * render that one before it saves what the last page sent as it was left. What has failed is kept too:
 * without a network that is so before the page is gone.
 */
export function keepSent({ decisions, failures }: DecisionState): void {
  const lines = [
    ...linesOf(decidedStatuses(decisions.filter(({ isSent }) => isSent)), 'sent'),
    ...linesOf(decidedStatuses(failures), 'failed'),
  ];
  const head = `${performance.timeOrigin} ${Date.now()}`;
  keep('tab', storageName, lines.length > 0 ? [head, ...lines].join('\n') : null);
}

type Ending = 'sent' | 'failed';

const linesOf = (decided: Map<string, Status>, ending: Ending) =>
  [...decided].map(([id, status]) => `${id} ${status} ${ending}`);

/** What the page that was loaded before this one sent without being told of an answer, or in vain; once. */
export function takeSentBefore(): Record<Ending, Map<string, Status>> {
  const [head = '', ...lines] = (readKept('tab', storageName) ?? '').split('\n');
  const [page, atMs] = head.split(' ').map(Number);
  const isOwn = page === performance.timeOrigin;
  const taken = { sent: new Map<string, Status>(), failed: new Map<string, Status>() };
  if (isOwn || atMs === undefined) return taken;
  keep('tab', storageName, null);
  if (Date.now() - atMs > validMs) return taken;
  for (const line of lines) {
    const [id, text, ending] = line.split(' ');
    const status = statuses.find((one) => one === text);
    if (id && status) taken[ending === 'failed' ? 'failed' : 'sent'].set(id, status);
  }
  return taken;
}
