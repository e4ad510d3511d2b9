import type { ErrorClass } from '@/src/webhooks/delivery-schema';
import type { DeliveryState } from './deliveries-view';

/** What an attempt came to: the status where there was an answer, else the kind of failure. */
type Outcome = {
  response_status: number | null;
  error_class: ErrorClass | null;
};

/** In a table's cell: `200`, `Timed out`, or that nothing was tried yet. */
export function describeOutcome({ response_status, error_class }: Outcome): string {
  if (response_status !== null) return String(response_status);
  return error_class === null ? 'Not yet' : failures[error_class].name;
}

/** What went wrong, and what to do about it; undefined where nothing did. */
export function hint({ response_status, error_class }: Outcome): string | undefined {
  if (error_class === null) return undefined;
  if (error_class !== 'status' || response_status === null) return failures[error_class].hint;
  const known = statuses[response_status];
  if (known) return known;
  return response_status >= 500
    ? 'The receiver failed inside. Its own log says why.'
    : 'The receiver refused the request. Anything but a status from 200 to 299 counts as a failure.';
}

/** What happens next with a delivery that did not arrive, or what to do. */
export function prospect(
  { state, is_test }: { state: DeliveryState; is_test: boolean },
  canSend: boolean,
): string {
  if (state === 'pending') {
    return canSend
      ? 'The event is kept and sent again.'
      : 'The event is kept, and sent again once the endpoint is resumed.';
  }
  if (is_test) return 'A test is sent once: send another when this is mended.';
  return 'It is not sent again by itself: resend it when this is mended.';
}

const failures: Record<ErrorClass, { name: string; hint: string }> = {
  url_refused: {
    name: 'URL refused',
    hint: 'Nothing is sent to URLs like this one. Use an https address without a user name in it.',
  },
  address_refused: {
    name: 'Address refused',
    hint: 'The name leads to a private address, which this service does not call.',
  },
  dns: {
    name: 'Name not found',
    hint: 'The name of the host could not be resolved. Check the URL for a typing mistake.',
  },
  connection: {
    name: 'No connection',
    hint: 'The address did not take the connection. Check that the receiver runs and its port is open.',
  },
  tls: {
    name: 'TLS failed',
    hint: 'The certificate of the address is not valid: expired, self-signed, or for another name.',
  },
  timeout: {
    name: 'Timed out',
    hint: 'No answer within 15 seconds. Answer first, and do the work afterwards.',
  },
  invalid_answer: {
    name: 'Invalid answer',
    hint: 'What came back was not an answer in HTTP. Check that the URL has the right port.',
  },
  redirect: {
    name: 'Redirect',
    hint: 'The address answered with a redirect; use the final address.',
  },
  status: { name: 'Refused', hint: 'The receiver refused the request.' },
  interrupted: {
    name: 'Interrupted',
    hint: 'This service stopped during the attempt. The request may have arrived.',
  },
  signing_secret: {
    name: 'Not signed',
    hint: 'The signing secret cannot be read with the present SECRET_KEY. Rotate the secret.',
  },
};

const statuses: Record<number, string> = {
  400: 'The receiver did not understand the request. Its own log says why.',
  401: 'The receiver asks for a sign-in. Let these requests pass without one; check the signature.',
  403: 'The receiver refused the request. A firewall or a wrong signing secret is the usual cause.',
  404: 'There is nothing at this address. Check the path of the URL.',
  405: 'The address does not take POST requests.',
  410: 'The address says that it is gone for good, which asks for nothing more.',
  413: 'The receiver takes only smaller requests.',
  429: 'The receiver asks to slow down.',
};
