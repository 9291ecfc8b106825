type StatusFacts = {
  /** The purchase has ended. A refund may still be under way. */
  terminal: boolean;
  /** The purchase has its payment. */
  paid: boolean;
  /** The provider may have a charge that can still be paid, or a charge may be made at any moment. */
  chargeMayBeOpen: boolean;
  /**
   * The state of the stablecoin that the purchase needs. `RESERVED`: held back until the charge is made.
   * `PROMISED`: owed, because the client was shown a charge. `DELIVERED`: sent to the client's wallet.
   * `NONE`: not needed.
   */
  tokens: 'RESERVED' | 'PROMISED' | 'DELIVERED' | 'NONE';
};

/**
 * The statuses of a purchase, each with facts about it. Rules ask for a fact instead of naming statuses, so a
 * new status need only be described here. Sources: spec, "Transaction states", and docs/decisions.md.
 */
export const STATUSES = {
  CREATED: { terminal: false, paid: false, chargeMayBeOpen: false, tokens: 'NONE' },
  AWAITING_MFA: { terminal: false, paid: false, chargeMayBeOpen: true, tokens: 'RESERVED' },
  AWAITING_PIX: { terminal: false, paid: false, chargeMayBeOpen: true, tokens: 'PROMISED' },
  PROCESSING: { terminal: false, paid: true, chargeMayBeOpen: false, tokens: 'PROMISED' },
  COMPLETED: { terminal: true, paid: true, chargeMayBeOpen: false, tokens: 'DELIVERED' },
  FAILED: { terminal: true, paid: true, chargeMayBeOpen: false, tokens: 'NONE' },
  EXPIRED: { terminal: true, paid: false, chargeMayBeOpen: false, tokens: 'NONE' },
  CANCELED: { terminal: true, paid: false, chargeMayBeOpen: false, tokens: 'NONE' },
} as const satisfies Record<string, StatusFacts>;

export type Status = keyof typeof STATUSES;

type StatusWith<Facts> = { [S in Status]: (typeof STATUSES)[S] extends Facts ? S : never }[Status];
export type PaidStatus = StatusWith<{ paid: true }>;
export type DeliveredStatus = StatusWith<{ tokens: 'DELIVERED' }>;
/** A final status of a purchase that was not paid. */
export type UnpaidEnd = StatusWith<{ terminal: true; paid: false }>;

/** The names of the statuses, in the order of a purchase's life. */
export const STATUS_NAMES = Object.keys(STATUSES) as Status[];

export const TERMINAL: readonly Status[] = STATUS_NAMES.filter((status) => STATUSES[status].terminal);

/** Whether a Pix with the purchase's txid may still become its payment. */
export function isOpen(status: Status): boolean {
  const { terminal, paid } = STATUSES[status];
  return !terminal && !paid;
}

/** Whether the purchase has ended without a payment. Then its charge must be closed, and a late Pix is returned. */
export function hasEndedUnpaid(status: Status): status is UnpaidEnd {
  const { terminal, paid } = STATUSES[status];
  return terminal && !paid;
}

/** Whether the purchase is paid and has not ended, so that settlement continues. */
export function isBeingSettled(status: Status): boolean {
  const { terminal, paid } = STATUSES[status];
  return paid && !terminal;
}

/** The statuses that the definition of the state machine (`statemachines/onramp.asl.json`) knows. */
export type MachineStatus = Exclude<Status, UnpaidEnd> | 'EXPIRED';

/**
 * The status that the state machine is told. `EXPIRED` stands for every end without a payment, also for
 * `CANCELED`. A running execution keeps the definition with which it began. It would fail at a status that
 * its definition does not know.
 */
export function machineStatusOf(status: Status): MachineStatus {
  return hasEndedUnpaid(status) ? 'EXPIRED' : status;
}
