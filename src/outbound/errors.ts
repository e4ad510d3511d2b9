import { addressRefused } from './address';

/** Why no answer came. */
export type OutboundErrorKind =
  | 'url_refused'
  | 'address_refused'
  | 'dns'
  | 'connection'
  | 'tls'
  | 'timeout'
  | 'invalid_answer'
  | 'aborted';

/** An outgoing request that got no answer. */
export class OutboundError extends Error {
  override name = 'OutboundError';
  readonly kind: OutboundErrorKind;

  constructor(kind: OutboundErrorKind, options: { cause?: unknown } = {}) {
    super(`Outgoing request failed: ${kind}`, options);
    this.kind = kind;
  }
}

/** Node's own, OpenSSL's, and those of certificates (Node, "X509 certificate error codes"). */
const tlsCode = new RegExp(
  '^(?:ERR_TLS|ERR_SSL|EPROTO|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_|ERROR_IN_C|' +
    'PATH_LENGTH_|INVALID_CA$|INVALID_PURPOSE$|UNSPECIFIED$)',
);

/** What Node, OpenSSL, the resolver or the guard of addresses threw, by kind. */
export function kindOf(error: NodeJS.ErrnoException): OutboundErrorKind {
  const { code = '', syscall = '', message } = error;
  // The errors of the guarded connections have no code.
  const isRefused = code === '' && message.includes('is not allowed');
  if (isRefused || code === addressRefused) return 'address_refused';
  if (code === 'ENOTFOUND' || /^(?:query|getaddrinfo)/.test(syscall)) return 'dns';
  if (tlsCode.test(code)) return 'tls';
  // The parser's, and Node's own where the answer is a change of protocol.
  if (code.startsWith('HPE_')) return 'invalid_answer';
  return 'connection';
}
