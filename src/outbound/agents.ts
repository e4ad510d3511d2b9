import http from 'node:http';
import https from 'node:https';
import type { Duplex } from 'node:stream';
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
      return keepStill(
        allowPrivate ? new https.Agent(kept) : new RequestFilteringHttpsAgent(guarded),
      );
    }
    return keepStill(allowPrivate ? new http.Agent(kept) : new RequestFilteringHttpAgent(guarded));
  });
}

/**
 * Has an agent close a kept connection on which something comes that nobody asked for. Each byte begins
 * the time anew for which it is kept: with a few of them, others could have any number held for good.
 */
function keepStill(agent: http.Agent): http.Agent {
  const keep = agent.keepSocketAlive.bind(agent);
  const reuse = agent.reuseSocket.bind(agent);
  agent.keepSocketAlive = (socket) => {
    socket.on('data', close);
    // Whether it is kept, which the type does not say.
    return keep(socket);
  };
  agent.reuseSocket = (socket, request) => {
    socket.off('data', close);
    reuse(socket, request);
  };
  return agent;
}

function close(this: Duplex): void {
  this.destroy();
}
