/**
 * The table says who may do what, and which acts want a second person: docs/operations.md, "Two persons". An act
 * is a command, or one outcome of it.
 */

/** An `admin` may do all that the others may. A `viewer` only reads. */
export const ROLES = ['viewer', 'operator', 'compliance', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** A second person with one of the roles `by` must approve the act within `withinHours` of its proposal. */
export type Second = { by: readonly Role[]; withinHours: number };
export type ActRule = {
  by: readonly Role[];
  second?: Second;
  /**
   * The command of this act names a client by CPF, so the command is not stored. The act therefore cannot
   * wait for a second person.
   */
  isPersonal?: true;
};

const OPERATIONS: readonly Role[] = ['operator'];
const COMPLIANCE: readonly Role[] = ['compliance'];
const BOTH: readonly Role[] = ['operator', 'compliance'];
const ADMIN: readonly Role[] = ['admin'];

const ONE_DAY = 24;
/** The hours within which a second person must approve an act for which payments wait. */
const ONE_SHIFT = 8;

export const ACT_RULES = {
  'tx find': { by: BOTH, isPersonal: true },
  'reviews show': { by: COMPLIANCE },
  'reviews assign': { by: COMPLIANCE },
  'reviews unassign': { by: COMPLIANCE },
  'reviews search': { by: COMPLIANCE, isPersonal: true },
  'reviews clear': { by: COMPLIANCE, second: { by: COMPLIANCE, withinHours: ONE_DAY } },
  'reviews confirm': { by: COMPLIANCE, second: { by: COMPLIANCE, withinHours: ONE_DAY } },
  'reviews undo': { by: COMPLIANCE, second: { by: COMPLIANCE, withinHours: ONE_DAY } },
  'reviews close': { by: COMPLIANCE },
  'fraud block': { by: BOTH, isPersonal: true },
  'fraud lift': { by: BOTH, second: { by: COMPLIANCE, withinHours: ONE_DAY } },
  'clients unblock': { by: BOTH, second: { by: COMPLIANCE, withinHours: ONE_DAY } },
  'clients limits': { by: BOTH, isPersonal: true },
  'cases export': { by: BOTH },
  'cases close': { by: BOTH },
  /**
   * This outcome says that a person has paid the money back by hand. The service cannot check that, so two
   * persons must agree.
   */
  'cases close RETURNED_OUTSIDE': { by: OPERATIONS, second: { by: BOTH, withinHours: ONE_DAY } },
  'evidence export': { by: COMPLIANCE, isPersonal: true },
  'subject show': { by: COMPLIANCE, isPersonal: true },
  'subject export': { by: COMPLIANCE, isPersonal: true },
  // One person may set a litigation hold, which keeps data. Two persons must agree to end it (`subject
  // release`).
  'subject hold': { by: COMPLIANCE, isPersonal: true },
  // One person is enough, because a correction approves nobody: the client's next submission is decided
  // anew.
  'subject correct': { by: COMPLIANCE, isPersonal: true },
  'subject erase': { by: COMPLIANCE, second: { by: COMPLIANCE, withinHours: ONE_DAY } },
  'subject release': { by: COMPLIANCE, second: { by: COMPLIANCE, withinHours: ONE_DAY } },
  'deliveries redeliver': { by: OPERATIONS },
  'endpoints add': { by: OPERATIONS },
  'endpoints rotate': { by: OPERATIONS },
  'endpoints remove': { by: OPERATIONS },
  'keys create': { by: OPERATIONS, second: { by: OPERATIONS, withinHours: ONE_DAY } },
  'keys approve': { by: OPERATIONS, second: { by: OPERATIONS, withinHours: ONE_DAY } },
  // One person is enough, because a key that leaked must be revoked at once.
  'keys revoke': { by: OPERATIONS },
  'vendor-keys approve': { by: OPERATIONS, second: { by: OPERATIONS, withinHours: ONE_DAY } },
  'vendor-keys withdraw': { by: OPERATIONS },
  'partners create': { by: OPERATIONS },
  'partners suspend': { by: BOTH },
  'partners reinstate': { by: BOTH },
  'partners kyc-tokens': { by: OPERATIONS, second: { by: OPERATIONS, withinHours: ONE_DAY } },
  'partners limits': { by: OPERATIONS },
  'partners quota': { by: OPERATIONS },
  'psp verify': { by: OPERATIONS, isPersonal: true },
  'totp reset': { by: OPERATIONS, isPersonal: true },
  // One person may stop one wallet or all movements of money (`treasury hold`). Two persons must agree to
  // end the stop (`treasury release`).
  'treasury hold': { by: BOTH },
  'treasury release': { by: OPERATIONS, second: { by: OPERATIONS, withinHours: ONE_SHIFT } },
  'treasury cancel': { by: OPERATIONS, second: { by: OPERATIONS, withinHours: ONE_SHIFT } },
  'treasury pause': { by: BOTH },
  'treasury resume': { by: OPERATIONS },
  'treasury allow': { by: OPERATIONS, second: { by: OPERATIONS, withinHours: ONE_SHIFT } },
  'treasury reprice': { by: OPERATIONS },
  'treasury replay': { by: ADMIN },
  'treasury decide': { by: ADMIN },
} as const satisfies Readonly<Record<string, ActRule>>;

export type ActName = keyof typeof ACT_RULES;
export type ActRules = Readonly<Record<ActName, ActRule>>;
