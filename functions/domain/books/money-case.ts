/**
 * A discrepancy about money that only a person can decide: docs/decisions.md, "Cases of money". One discrepancy is
 * one case, however often it is found.
 */
import type { PersonBlock } from '../kyc/person-block.ts';
import { isDust } from '../purchase/unmatched-payment.ts';
import type { MoneyCaseFacts, MoneyCaseKind } from './money-case-facts.ts';
import { MONEY_CASE_KINDS, type MoneyCaseOutcome } from './money-case-kinds.ts';

/** `amountCentavos` is the amount that a person gave back, for the outcome `RETURNED_OUTSIDE`. */
export type MoneyCaseClosing = {
  by: string;
  at: number;
  reason: string;
  outcome: MoneyCaseOutcome;
  amountCentavos?: number;
};

/** The person who lifted the block of a client, and the reason. */
export type BlockLifting = { by: string; at: number; reason: string };

/**
 * The subject of a case. All of it is optional, because one kind of case names a purchase and another only a
 * transfer.
 */
type Subject = {
  transactionId?: string;
  partnerId?: string;
  clientId?: string;
  /** Keyed hash of the CPF, the same at all partners. */
  personId?: string;
  endToEndId?: string;
  txHash?: string;
  amountCentavos?: number;
  /** When a person must have decided. */
  deadline?: number;
};

/** A union with one member for each kind of case. Each member has the facts of its kind. */
type WithFacts<Common, Kind extends MoneyCaseKind = MoneyCaseKind> = {
  [Each in Kind]: Common & { kind: Each; facts: MoneyCaseFacts[Each] };
}[Kind];

/** A discrepancy. `key` tells it from others of its kind: a purchase, a Pix, a return, a transfer or a posting. */
export type Finding<Kind extends MoneyCaseKind = MoneyCaseKind> = WithFacts<Subject & { key: string }, Kind>;

/** Instants are epoch milliseconds. */
export type MoneyCase<Kind extends MoneyCaseKind = MoneyCaseKind> = WithFacts<
  Subject & {
    /** See `moneyCaseId`. */
    id: string;
    status: 'OPEN' | 'CLOSED';
    openedAt: number;
    closed?: MoneyCaseClosing;
    /**
     * Present where the case blocks its client. Closing the case does not lift the block: a person does,
     * separately.
     */
    block?: ClientBlock;
    unblocked?: BlockLifting;
  },
  Kind
>;
export type ClientBlock = 'ACTIVE' | 'LIFTED';

/** Whether the case raises no alarm, because of a dust amount. It is in the list with the others. */
export const isQuiet = ({ kind, amountCentavos }: Pick<MoneyCase, 'kind' | 'amountCentavos'>): boolean =>
  MONEY_CASE_KINDS[kind].isQuietAsDust === true && isDust(amountCentavos);

export const moneyCaseId = (kind: MoneyCaseKind, key: string): string => `${kind}#${key}`;

export function openMoneyCase({ key, ...found }: Finding & { openedAt: number }): MoneyCase {
  const block = blocksClient(found) ? ({ block: 'ACTIVE' } as const) : {};
  return { ...found, id: moneyCaseId(found.kind, key), status: 'OPEN', ...block };
}

/**
 * Days in which a person must decide a case about a refund by MED. We chose this term. It starts with the refund, or
 * with our look if the provider gives no time. The receiver's provider has as many days to analyse a notice of
 * infringement ("até 7 dias corridos"). That legal term starts with the notice, whose date API Pix does not show. The
 * legal term may be over before we see the refund. Ask the provider for the date of its notice. Sources: Resolução
 * BCB 103/2021; Stark Infra, "Como gerenciar MEDs".
 */
export const MED_DEADLINE_DAYS = 7;
const DAY_MS = 24 * 60 * 60_000;

export const medDeadline = (refundedAt: number): number => refundedAt + MED_DEADLINE_DAYS * DAY_MS;

/** Whether the client may not buy until a person lifts the block. */
export const blocksClient = ({ kind, clientId }: Pick<MoneyCase, 'kind' | 'clientId'>): boolean =>
  kind === 'MED_REFUND' && clientId !== undefined;

/** The block at all partners that follows from the closing of a case as fraud. */
export function blockOfClosing({ id: caseId, personId, closed }: MoneyCase): PersonBlock | undefined {
  if (closed?.outcome !== 'FRAUD' || personId === undefined) return undefined;
  const { by, at, reason } = closed;
  return { id: personId, state: 'ACTIVE', by, at, reason, caseId };
}

/** Whether the case was closed by this very closing. After a lost answer, or a race, only the row shows that. */
export function isClosedSo({ closed }: MoneyCase, closing: MoneyCaseClosing): boolean {
  const { by, at, reason, outcome, amountCentavos } = closing;
  const isSame = closed?.by === by && closed.at === at && closed.reason === reason;
  return isSame && closed.outcome === outcome && closed.amountCentavos === amountCentavos;
}

/** As `isClosedSo`, for the lifting of a block. */
export function isLiftedSo({ unblocked }: MoneyCase, { by, at, reason }: BlockLifting): boolean {
  return unblocked?.by === by && unblocked.at === at && unblocked.reason === reason;
}
