type StatusFacts = {
  /** The purchase has ended. Only a refund of its payment can still follow. */
  terminal: boolean;
  /** A received Pix is the payment of this purchase. */
  paid: boolean;
  /** The provider may have a charge that can still become the payment, or one may be made at any moment. */
  chargeMayBeOpen: boolean;
  /**
   * The stablecoin: reserved while a charge is made, committed by the quote once a charge was shown, delivered, or
   * not needed.
   */
  tokens: 'RESERVED' | 'PROMISED' | 'DELIVERED' | 'NONE';
};

/**
 * Each status of a purchase, with the facts that rules depend on. Lists of statuses follow from these facts, so that a
 * new status is described once. Source: spec, "Transaction states"; docs/decisions.md.
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
/** An end without a payment. */
export type UnpaidEnd = StatusWith<{ terminal: true; paid: false }>;

/** The names, in the order of a purchase's life. */
export const STATUS_NAMES = Object.keys(STATUSES) as Status[];

export const TERMINAL: readonly Status[] = STATUS_NAMES.filter((status) => STATUSES[status].terminal);

/** Whether the purchase waits for its payment: a Pix with its txid may become it. */
export function isOpen(status: Status): boolean {
  const { terminal, paid } = STATUSES[status];
  return !terminal && !paid;
}

/** Whether the purchase has ended without a payment: its charge must be closed, and a late Pix goes back. */
export function hasEndedUnpaid(status: Status): status is UnpaidEnd {
  const { terminal, paid } = STATUSES[status];
  return terminal && !paid;
}

/** Whether settlement goes on: the purchase is paid, and has not ended. */
export function isBeingSettled(status: Status): boolean {
  const { terminal, paid } = STATUSES[status];
  return paid && !terminal;
}

/** Whether the stablecoin was delivered to the client's wallet. */
export function isDelivered(status: Status): boolean {
  return STATUSES[status].tokens === 'DELIVERED';
}

/** A status as the definition of the state machine knows it. */
export type MachineStatus = Exclude<Status, UnpaidEnd> | 'EXPIRED';

/**
 * The status that the state machine is told. It knows one end without a payment, `EXPIRED`. An execution keeps the
 * definition that it began with, so a newer word would fail those that began before a deployment.
 */
export function machineStatusOf(status: Status): MachineStatus {
  return hasEndedUnpaid(status) ? 'EXPIRED' : status;
}
