/**
 * The rows of each table as DynamoDB has them. `functions/tables.ts` describes the tables by these types. An
 * index or a grant with an unknown attribute therefore does not compile.
 */

import type { ActEvent } from '../../domain/acts/act.ts';
import type { Asset } from '../../domain/assets.ts';
import type { ArchivedObject, ManifestLink } from '../../domain/books/archive-ports.ts';
import type { BooksProgress } from '../../domain/books/books-progress.ts';
import type { MoneyCase } from '../../domain/books/money-case.ts';
import type { Client } from '../../domain/kyc/client.ts';
import type { KycRecord } from '../../domain/kyc/kyc.ts';
import type { LitigationHold } from '../../domain/kyc/litigation-hold.ts';
import type { PersonBlock } from '../../domain/kyc/person-block.ts';
import type { Posting } from '../../domain/ledger.ts';
import type { ApiKey } from '../../domain/partners/api-key.ts';
import type { Delivery, Pace } from '../../domain/partners/deliveries.ts';
import type { DomainEvent } from '../../domain/partners/events.ts';
import type { FailingPeriod } from '../../domain/partners/failing.ts';
import type { Reservation } from '../../domain/partners/idempotency-ports.ts';
import type { Partner } from '../../domain/partners/partner.ts';
import type { RateCounts } from '../../domain/partners/rate-limit.ts';
import type { Callbacks } from '../../domain/purchase/callback-ports.ts';
import type { Evidence } from '../../domain/purchase/evidence.ts';
import type { LockedQuote } from '../../domain/purchase/locked-quote.ts';
import type { OpenPromise } from '../../domain/purchase/open-promise.ts';
import type { Transaction } from '../../domain/purchase/transaction.ts';
import type { UnmatchedPayment } from '../../domain/purchase/unmatched-payment.ts';
import type { Stop } from '../../domain/purchase/unmatched-payment-ports.ts';
import type { Closing, JudgedReviewCase, OpenReviewCase } from '../../domain/screening/review-case.ts';
import type { GasSpent } from '../../domain/treasury/gas.ts';
import type { Mark, WitnessMark } from '../../domain/treasury/hold.ts';
import type { Quarantine } from '../../domain/treasury/hot-wallet.ts';
import type { Float } from '../../domain/treasury/liquidity.ts';
import type { Allowance, PayoutWindow } from '../../domain/treasury/payout-window.ts';
import type { PriceHistory } from '../../domain/treasury/price.ts';
import type { KeptPtax } from '../../domain/treasury/ptax.ts';
import type { Venue } from '../../domain/treasury/quorum.ts';
import type { Attempt, Settlement } from '../../domain/treasury/settlement.ts';
import type { ShardedKey } from '../../tables/sharded.ts';

/** The row of a domain type. `Attributes` replaces some of its attributes, and adds those that only the row has. */
type Kept<Subject, Attributes> = Subject extends unknown
  ? Omit<Subject, keyof Attributes> & Attributes
  : never;

type Id = { id: string };
/**
 * DynamoDB deletes the row some days after `ttl`, in epoch seconds: functions/domain/retention.ts. The row of a person
 * who is held has `heldTtl` instead: functions/domain/kyc/litigation-hold.ts.
 */
type Mortal = Id & { ttl?: number; heldTtl?: number };
/** `sweep` is the key of the sparse index `due`. Only a row that a schedule must visit has it. */
type Swept = Mortal & { sweep?: ShardedKey };
/** Amounts with which DynamoDB itself calculates. The client reads large ones as bigint. */
type Units = number | bigint;

/** The oldest rows lack these two attributes. */
export type PartnerRow = Omit<Partner, 'keyIds' | 'version'> & Partial<Pick<Partner, 'keyIds' | 'version'>>;
export type KeyRow = Kept<ApiKey, Id>;

export type IdempotencyRow = Mortal & {
  requestHash: string;
  reservation: Reservation;
  leaseUntil: number;
  /** The seed of the request that took over after the last lease had ended. */
  takenBy?: string;
  /** The encrypted answer, once the request is answered. */
  answer?: string;
  expiresAt: number;
};
type RateRow = Mortal & RateCounts;

export type KycRecordRow = Kept<KycRecord, Swept & { pendingClientId?: string; live?: ShardedKey }>;
/** Records that a partner's KYC token was used. It may be used once. */
export type TokenUseRow = Mortal & { requestHash: string; usedFor: string };

/** `dayKey` is the key of the index by day. */
export type EvidenceRow = Kept<Evidence, Mortal & { dayKey: ShardedKey }>;

/** These are string sets in DynamoDB, so that two writers at the same time both add their element. */
export type ClientSets = Partial<
  Record<'wallets' | 'clearedPairs' | 'confirmedPairs' | 'blockedFor', Set<string>>
>;
export type ClientRow = Kept<Client, Swept & ClientSets>;
export type PersonBlockRow = Kept<PersonBlock, Mortal>;
/** The open MED cases of a person at all partners. DynamoDB removes an empty set. */
export type OpenMedsRow = Mortal & { cases?: Set<string> };
export type LitigationHoldRow = Kept<LitigationHold, Mortal>;

/** `archiveKey` and `archiveAt` are the keys of the sparse index of purchases whose history must be archived. */
export type TransactionRow = Kept<
  Transaction,
  Mortal & { sweep: ShardedKey; archiveKey?: ShardedKey; archiveAt?: number }
>;
/** `heldKey` is the key of the sparse index of open promises. Released rows do not have it. */
type Held = Mortal & { heldKey?: ShardedKey; reservedAt: number };
export type QuoteRow = Kept<LockedQuote, Held>;
export type PromiseRow = Kept<OpenPromise, Held>;
type PromiseSumRow = Mortal & { centavos: number };
/** Records that a partner's `externalId` was used. It may be used once. */
export type ReferenceRow = Mortal & { usedBy: string };
/** The mark of a table: functions/domain/treasury/hold.ts. */
type MarkRow = Kept<Mark, Id>;

/** `list` and `place` are the keys of the index of a partner's events. */
export type EventRow = Kept<DomainEvent, Swept & { nextCheckAt?: number; list: string; place: string }>;

/** The keys of two sparse indexes. Waiting deliveries have `due` and `lookAt`, parked ones have `parkedFor`. */
export type DeliveryRow = Kept<Delivery, Mortal & { due?: ShardedKey; lookAt?: string; parkedFor?: string }>;
type PaceRow = Kept<Pace, Id>;
/** A row without `since` means that no period of failures is open: the endpoint has succeeded, or it was paused. */
export type FailingRow = Mortal & Partial<FailingPeriod>;

export type CallbackRow = Kept<Parameters<Callbacks['store']>[0], Mortal>;

/** Units as decimal strings, because they are too large for a double. */
type UnitsOfAssets = Partial<Record<Asset, string>>;
export type SettlementRow = Kept<Settlement, Id & { units: string; sweep?: ShardedKey }>;
/** The row of a hot wallet. `given` is `committed` of its `Account`. */
type WalletRow = Id & { next: number; given?: UnitsOfAssets; quarantine?: Quarantine };
/** The settlement to which a nonce of a wallet was assigned. `before` is `committed` before that nonce. */
type SlotRow = Id & {
  transactionId: string;
  kind: Attempt['kind'];
  before?: UnitsOfAssets;
  reason?: string;
  attempts?: Attempt[];
  /** The cost of the transaction that is final at this nonce. */
  gas?: Kept<GasSpent, { wei: string }>;
};
/** The payouts of an asset in the last hour, by slices of time, the current one first. */
export type WindowRow = Kept<
  PayoutWindow,
  Id & { units: string[]; allowance?: Kept<Allowance, { units: string }> }
>;

/** `taken` is the sum of all reservations that are held. Each reading and each release raises `revision`. */
export type FloatRow = Kept<
  Omit<Float, 'asset'>,
  {
    id: Asset;
    /** Rows from before this attribute existed have none. */
    hotWallets?: Set<string>;
    room: Units;
    largest: Units;
    taken: Units;
    revision: number;
  }
>;
/** The reservation of one purchase. `heldKey` is the key of the sparse index of reservations that are not released. */
export type ReservationRow = Mortal & {
  asset: Asset;
  units: Units;
  reservedAt: number;
  heldKey?: ShardedKey;
};
/** A counter of one client, person or partner: a sum of centavos, or a number of open charges or of paid look-ups. */
export type UsageRow = Mortal & { centavos?: number; charges?: number; until?: number; calls?: number };
export type PriceHistoryRow = Kept<
  Omit<PriceHistory, 'asset'>,
  Id & {
    spans: { from: number; lowest: Units; highest: Units }[];
    asks?: { venue: Venue; ask: Units; at: number }[];
    ptax?: Omit<KeptPtax, 'rate'> & { rate: Units };
  }
>;

/**
 * `statusKey` is the key of the index by status, and `decidedKey` that of decided cases. A closed case has neither
 * `status` nor `statusKey`, so that the next write that opens a case opens it again.
 */
export type CaseRow =
  | Kept<OpenReviewCase | JudgedReviewCase, CaseKeys & { statusKey: ShardedKey }>
  | (Kept<Omit<OpenReviewCase, 'status'>, CaseKeys> & { closing: Closing; decidedAt: number });
type CaseKeys = Mortal & { decidedKey?: ShardedKey };

export type MoneyCaseRow = Kept<MoneyCase, Mortal & { statusKey: ShardedKey }>;
export type BooksCursorRow = Id & { upTo: number; progress?: BooksProgress };

/** `open` is the key of the sparse index of unmatched payments that are not returned yet. */
export type UnmatchedPaymentRow = Kept<UnmatchedPayment, Swept & { open?: ShardedKey }>;
export type PixCursorRow = Id & { upTo: number; stop?: Stop };

/** `month` is the key of the index by time. */
export type ActRow = Kept<ActEvent, Mortal & { month: string }>;

/** `dayKey` is the key of the index by day. */
export type PostingRow = Kept<Posting, Mortal & { dayKey: ShardedKey }>;

/** The id of the row is that of the session. */
export type EndedSessionRow = Mortal;

/** The register of the archive. The id is the object's key. */
export type ArchivedRow = Mortal & Omit<ArchivedObject, 'key'> & { dayKey: ShardedKey };

/** How far the archive has come. It is one row. `closed` is the last day that has its manifest. */
export type ArchiveProgressRow = Id & { evidenceUpTo: number; closed: string; manifest?: ManifestLink };

/** Every table, by its name, with the rows that it holds. */
export type Rows = {
  partners: PartnerRow | KeyRow;
  requests: IdempotencyRow | RateRow;
  kycRecords: KycRecordRow | TokenUseRow;
  evidence: EvidenceRow;
  clients: ClientRow;
  personBlocks: PersonBlockRow | OpenMedsRow | LitigationHoldRow;
  usages: UsageRow;
  transactions: TransactionRow | ReferenceRow | MarkRow;
  events: EventRow;
  deliveries: DeliveryRow | PaceRow | FailingRow;
  callbacks: CallbackRow;
  settlements: SettlementRow | WalletRow | SlotRow | WindowRow | MarkRow;
  floats: FloatRow | PriceHistoryRow;
  reservations: ReservationRow;
  promises: QuoteRow | PromiseRow | PromiseSumRow;
  cases: CaseRow;
  moneyCases: MoneyCaseRow | BooksCursorRow;
  unmatchedPayments: UnmatchedPaymentRow | PixCursorRow;
  ledger: PostingRow;
  acts: ActRow;
  archive: ArchivedRow | ArchiveProgressRow;
  witness: Kept<WitnessMark, Id>;
  endedSessions: EndedSessionRow;
};

/** The names of a row's attributes that are keys of sharded indexes. An attribute of type `never` does not count. */
export type ShardedAttributeOf<Row> = Row extends unknown
  ? {
      [Name in keyof Row]-?: [NonNullable<Row[Name]>] extends [never]
        ? never
        : NonNullable<Row[Name]> extends ShardedKey
          ? Name
          : never;
    }[keyof Row] &
      string
  : never;
export type ShardedAttribute = { [Table in keyof Rows]: ShardedAttributeOf<Rows[Table]> }[keyof Rows];
