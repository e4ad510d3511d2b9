import http from 'node:http';
import https from 'node:https';
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent';
import { singleton } from '../singleton';
import { deniedAddress } from './address';

/** Idle connections are kept for the next delivery to the same place, a few and not for long. */
const connections = { keepAlive: true, maxFreeSockets: 64, timeout: 4000 };

/**
 * The connections of all outgoing requests. Guarded ones look at the address of every connection
 * as it is made, after the name is resolved: there is no time between check and use. The lookup
 * refuses private addresses too; of the two, either would do. With `isAnew`, each request has a
 * connection of its own.
 */
export function agentFor(
  url: URL,
  { allowPrivate, isAnew = false }: { allowPrivate: boolean; isAnew?: boolean | undefined },
): http.Agent {
  const isTls = url.protocol === 'https:';
  return singleton(`outbound-agent-${isTls}-${allowPrivate}-${isAnew}`, () => {
    const kept = { ...connections, keepAlive: !isAnew };
    const guarded = { ...kept, denyIPAddressList: [deniedAddress] };
    if (isTls) {
      return allowPrivate ? new https.Agent(kept) : new RequestFilteringHttpsAgent(guarded);
    }
    return allowPrivate ? new http.Agent(kept) : new RequestFilteringHttpAgent(guarded);
  });
}
