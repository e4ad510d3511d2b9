export type Rules = {
  /** For how long it is worth sending. */
  hours: number;
  /**
   * How many an account is sent in a day; what is beyond is dropped. For what a person can bring
   * about again and again: the address of an account need not be theirs.
   */
  perDay?: number;
};

/** Every kind of mail. */
export const mailKinds = {
  'reset-password': { hours: 1 },
  'confirm-email': { hours: 1 },
  'email-changing': { hours: 72 },
  'endpoint-failing': { hours: 72, perDay: 20 },
  'endpoint-switched-off': { hours: 72, perDay: 20 },
  test: { hours: 24, perDay: 10 },
} as const satisfies Record<string, Rules>;

export type MailKind = keyof typeof mailKinds;

/** The rules of a kind; undefined for one that this version does not know. */
export const rulesByKind = new Map<string, Rules>(Object.entries(mailKinds));

/** What a mail says, in plain text: no reader has to trust markup, and links show where they lead. */
export type Message = { to: string; subject: string; text: string };

/** A mail that is about to be sent. */
export type QueuedMail = {
  id: string;
  /** Null where it is not yet known whether there is an account. */
  accountId: string | null;
  /** The account's own address; null without an account. */
  accountEmail: string | null;
  /** Where it goes instead of there. */
  recipient: string | null;
  data: unknown;
};

/** Puts a mail into words. Undefined: there is nobody to tell, or nothing any more. */
export type MailWriter = (
  mail: QueuedMail,
  publicUrl: string,
) => Promise<Message | undefined> | Message | undefined;
