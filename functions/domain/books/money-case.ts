/**
 * A money case: a discrepancy about money that only a person can decide. See docs/decisions.md, "The books". A
 * discrepancy that is found several times is one case.
 */
import type { PersonBlock } from '../kyc/person-block.ts';
import { isDust } from '../purchase/unmatched-payment.ts';
import { DAY_MS } from '../time.ts';
import type { MoneyCaseFacts, MoneyCaseKind } from './money-case-facts.ts';
import { MONEY_CASE_KINDS, type MoneyCaseOutcome } from './money-case-kinds.ts';

/**
 * How a person closed a case. With the outcome `RETURNED_OUTSIDE`, `amountCentavos` is the amount that the person gave
 * back. With the outcome `RECOVERED`, it is the amount that came back to us.
 */
export type MoneyCaseClosing = {
  by: string;
  at: number;
  reason: string;
  outcome: MoneyCaseOutcome;
  amountCentavos?: number;
};

/** The operator who lifted the block of a client, and the reason. */
export type BlockLifting = { by: string; at: number; reason: string };

/**
 * The subject of a case. All fields are optional, because one kind of case is about a purchase and another only about a
 * transfer.
 */
type CaseSubject = {
  transactionId?: string;
  partnerId?: string;
  clientId?: string;
  /** A keyed hash of the CPF, which is the same at all partners. */
  personId?: string;
  endToEndId?: string;
  txHash?: string;
  amountCentavos?: number;
  /** By when a person must have decided. */
  deadline?: number;
};

/** A union with a member for each kind of case. Each member has the facts of its kind. */
type WithFacts<Common, Kind extends MoneyCaseKind = MoneyCaseKind> = {
  [Each in Kind]: Common & { kind: Each; facts: MoneyCaseFacts[Each] };
}[Kind];

/**
 * A discrepancy that was found. `key` distinguishes it from other discrepancies of the same kind. It is made
 * of the ids of the purchase, Pix, return, transfer or posting.
 */
export type Finding<Kind extends MoneyCaseKind = MoneyCaseKind> = WithFacts<
  CaseSubject & { key: string },
  Kind
>;

/** A money case. Instants are epoch milliseconds. */
export type MoneyCase<Kind extends MoneyCaseKind = MoneyCaseKind> = WithFacts<
  CaseSubject & {
    /** `moneyCaseId` makes it from kind and key. */
    id: string;
    openedAt: number;
    /** Present if the case blocks its client. The block does not end with the case: a person lifts it separately. */
    block?: ClientBlock;
    unblocked?: BlockLifting;
  } & ({ status: 'OPEN'; closed?: undefined } | { status: 'CLOSED'; closed: MoneyCaseClosing }),
  Kind
>;
export type ClientBlock = 'ACTIVE' | 'LIFTED';

/** Whether the case raises no alarm, because its amount is tiny. It is listed like any other case. */
export const isQuiet = ({ kind, amountCentavos }: Pick<MoneyCase, 'kind' | 'amountCentavos'>): boolean =>
  MONEY_CASE_KINDS[kind].isQuietAsDust === true && isDust(amountCentavos);

export const moneyCaseId = (kind: MoneyCaseKind, key: string): string => `${kind}#${key}`;

export function openMoneyCase({ key, ...found }: Finding & { openedAt: number }): MoneyCase {
  const block = blocksClient(found) ? ({ block: 'ACTIVE' } as const) : {};
  return { ...found, id: moneyCaseId(found.kind, key), status: 'OPEN', ...block };
}

/**
 * In how many days a person must decide a case about a MED refund. We chose this term. It starts with the
 * refund. If the provider does not tell the time of the refund, the term starts when we first see the refund.
 * The law also gives the receiver's provider seven days to analyse a notice of infringement ("até 7 dias
 * corridos"). That legal term starts with the notice, whose date API Pix does not show. The legal term may
 * end before we see the refund, so ask the provider for the notice's date. Sources: Resolução BCB 103/2021;
 * Stark Infra, "Como gerenciar MEDs".
 */
const MED_DEADLINE_DAYS = 7;

export const medDeadline = (refundedAt: number): number => refundedAt + MED_DEADLINE_DAYS * DAY_MS;

/** Whether the case forbids its client to buy until a person lifts the block. */
export const blocksClient = ({ kind, clientId }: Pick<MoneyCase, 'kind' | 'clientId'>): boolean =>
  kind === 'MED_REFUND' && clientId !== undefined;

/**
 * The block that stops the case's person from buying at any partner. Undefined if the case was not closed
 * with the outcome `FRAUD`, or if it names no person.
 */
export function blockOfClosing({ id: caseId, personId, closed }: MoneyCase): PersonBlock | undefined {
  if (closed?.outcome !== 'FRAUD' || personId === undefined) return undefined;
  const { by, at, reason } = closed;
  return { id: personId, state: 'ACTIVE', by, at, reason, caseId };
}

/**
 * True if exactly this closing was saved. If the answer to the write was lost, or another operator was
 * faster, only the stored row tells which closing was saved.
 */
export function isClosedSo({ closed }: MoneyCase, closing: MoneyCaseClosing): boolean {
  const { by, at, reason, outcome, amountCentavos } = closing;
  const isSame = closed?.by === by && closed.at === at && closed.reason === reason;
  return isSame && closed.outcome === outcome && closed.amountCentavos === amountCentavos;
}

/** Whether exactly this lifting has lifted the block. */
export function isLiftedSo({ unblocked }: MoneyCase, { by, at, reason }: BlockLifting): boolean {
  return unblocked?.by === by && unblocked.at === at && unblocked.reason === reason;
}
