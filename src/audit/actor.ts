import type { Principal } from '../api/principal';

/** Who makes a change, as far as it is known where the change is made. */
export type Actor =
  | { type: 'session'; sessionId: string | undefined; address: string | undefined }
  | { type: 'api_key'; keyId: string | undefined }
  | { type: 'command_line' }
  | { type: 'service' };

/** Whoever runs the service, by its commands. */
export const commandLine: Actor = { type: 'command_line' };

/** The person or the key behind a call. */
export function actorOf({ via, keyId, sessionId, addressRange }: Principal): Actor {
  return via === 'session'
    ? { type: 'session', sessionId, address: addressRange }
    : { type: 'api_key', keyId };
}
