/**
 * What nobody but a person can decide about money: docs/decisions.md, "Cases of money". Found by reconciliation; one
 * discrepancy is one case, however often it is seen.
 */
import { isDust } from '../purchase/unmatched-payment.ts';

/** Each kind, in words for the person who reads it. */
export const MONEY_CASE_KINDS = {
  REFUND_FAILED: 'a refund that we owe, which the provider has refused for good',
  PURCHASE_STUCK: 'a purchase that was paid a day ago, and is neither delivered nor given back',
  RETURN_STUCK: 'a Pix that is no purchase’s payment, found a day ago, and not given back yet',
  STRAY_LEFT: 'a Pix that is no purchase’s payment, and that may not go back, or could not, by itself',
  PAYMENT_NOT_SHOWN: 'a payment that a purchase rests on, and that the provider does not show',
  PAYMENT_DIFFERS: 'a payment whose amount or purchase is not the same at the provider and here',
  PAYMENT_IGNORED: 'a received Pix that is neither a purchase’s payment nor a stray',
  REFUND_UNASKED: 'a refund at the provider that nobody here asked for',
  REFUND_NOT_SHOWN: 'a refund that was recorded as done, and that the provider does not show as done',
  REFUND_DIFFERS: 'a refund of another amount than was asked for, or a second one',
  MED_REFUND: 'a payment that the provider took back by the MED',
  TRANSFER_UNKNOWN: 'a transfer out of a wallet of ours that belongs to no settlement',
  TRANSFER_DIFFERS: 'a transfer of other units or to another address than its settlement',
  TRANSFER_NOT_SHOWN: 'a completed purchase without its transfer on the chain',
  TRANSFERRED_TWICE: 'a purchase with more than one transfer, or with a transfer and a refund',
  PAYOUT_DOUBTFUL: 'a purchase that may have been paid out before its table was restored',
  POSTING_MISSING: 'a move of money that is not in the ledger',
  POSTING_EXTRA: 'an entry of the ledger that no move of money explains',
  POSTING_ALTERED: 'an entry of the ledger that is not what its move of money makes it',
} as const;
export type MoneyCaseKind = keyof typeof MONEY_CASE_KINDS;

/** How a person ended it. */
export const MONEY_CASE_OUTCOMES = {
  EXPLAINED: 'nothing is amiss: money and books are as they should be',
  CORRECTED: 'put right by hand, here or at the provider',
  RETURNED: 'the money was given back to whom it belongs, and the ledger knows it, or needs not',
  RETURNED_OUTSIDE: 'given back from the account otherwise than by a devolução: the ledger gets the amount',
  RECOVERED: 'the money was got back',
  LOST: 'the money is gone, and was written off',
} as const;
export type MoneyCaseOutcome = keyof typeof MONEY_CASE_OUTCOMES;

/** `amountCentavos` is what was `RETURNED_OUTSIDE`. */
export type MoneyCaseClosing = {
  by: string;
  at: number;
  reason: string;
  outcome: MoneyCaseOutcome;
  amountCentavos?: number;
};

/** Who lifted the block of a client, and why. */
export type BlockLifting = { by: string; at: number; reason: string };

/** Instants are epoch milliseconds. `facts` name amounts and ids, and never who paid. */
export type MoneyCase = {
  /** See `moneyCaseId`. */
  id: string;
  kind: MoneyCaseKind;
  status: 'OPEN' | 'CLOSED';
  openedAt: number;
  /** When a person must have decided. */
  deadline?: number;
  transactionId?: string;
  partnerId?: string;
  clientId?: string;
  endToEndId?: string;
  txHash?: string;
  amountCentavos?: number;
  facts: Record<string, unknown>;
  closed?: MoneyCaseClosing;
  /** Where it blocks its client. Only a person lifts that, by an act of its own, whatever the case is closed as. */
  block?: ClientBlock;
  unblocked?: BlockLifting;
};
export type ClientBlock = 'ACTIVE' | 'LIFTED';

type Opened = Omit<MoneyCase, 'id' | 'status' | 'closed' | 'block' | 'unblocked'> & { key: string };

/**
 * Whether nobody needs to be called for it: a Pix of less than any purchase, which anybody may send by the thousand from an account
 * that takes nothing back. It waits in the list with the others.
 */
export const isQuiet = ({ kind, amountCentavos }: Pick<MoneyCase, 'kind' | 'amountCentavos'>): boolean =>
  (kind === 'STRAY_LEFT' || kind === 'RETURN_STUCK') && isDust(amountCentavos);

/** `key` names the discrepancy among those of its kind: a purchase, a Pix, a refund, a transfer or a posting. */
export const moneyCaseId = (kind: MoneyCaseKind, key: string): string => `${kind}#${key}`;

export function openMoneyCase({ key, ...rest }: Opened): MoneyCase {
  const block = blocksClient(rest) ? ({ block: 'ACTIVE' } as const) : {};
  return { ...rest, id: moneyCaseId(rest.kind, key), status: 'OPEN', ...block };
}

/**
 * Days that a person has for a refund by MED: as many as the receiver's provider has to analyse a notice of infringement
 * ("até 7 dias corridos", then 72 hours to ask for the money and 24 to send it: Stark Infra, "Como gerenciar MEDs"; the
 * procedure is Res. BCB 103/2021). The statutory clock starts with that notice to the provider, which API Pix does not
 * show, and may be over when the refund is seen. So this one is ours, it starts with the refund, and the provider must be
 * asked for the date of its notice.
 */
export const MED_DEADLINE_DAYS = 7;
const DAY_MS = 24 * 60 * 60_000;

export const medDeadline = (refundedAt: number): number => refundedAt + MED_DEADLINE_DAYS * DAY_MS;

/** Whether the client buys nothing until a person lifts that. */
export const blocksClient = ({ kind, clientId }: Pick<MoneyCase, 'kind' | 'clientId'>): boolean =>
  kind === 'MED_REFUND' && clientId !== undefined;

/**
 * Whom money is owed to that a person may give back by hand, as the ledger's account of it. Only of what nothing will move by
 * itself any more: else it might go back twice.
 */
export function owedTo(kind: MoneyCaseKind): 'clients' | 'strays' | undefined {
  if (kind === 'REFUND_FAILED') return 'clients';
  return kind === 'STRAY_LEFT' ? 'strays' : undefined;
}

/** Whether the case stands as this very closing left it: after a lost answer, or after a race, only that tells. */
export function isClosedSo({ closed }: MoneyCase, closing: MoneyCaseClosing): boolean {
  const { by, at, reason, outcome, amountCentavos } = closing;
  const isSame = closed?.by === by && closed.at === at && closed.reason === reason;
  return isSame && closed.outcome === outcome && closed.amountCentavos === amountCentavos;
}

/** As `isClosedSo`, of the lifting of a block. */
export function isLiftedSo({ unblocked }: MoneyCase, { by, at, reason }: BlockLifting): boolean {
  return unblocked?.by === by && unblocked.at === at && unblocked.reason === reason;
}
