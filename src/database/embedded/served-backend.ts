import type { Session } from './session';

/** The one backend, and who may use it. */
export type ServedBackend = {
  /** Hands messages to the one backend and resolves to all that it answers. */
  execute: (messages: Buffer) => Promise<Buffer>;
  user: string;
  database: string;
  password: string;
  /** Settings that clients are told when they connect. */
  parameters: Record<string, string>;
  session: Session;
  /** How long a client may leave its transaction open without a word, while all others wait. */
  idleTransactionMs: number;
  /** Called when the backend itself fails, after which no answer of it can be trusted. */
  onBackendFailure: (error: unknown) => void;
};
