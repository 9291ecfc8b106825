/**
 * The rows of each table as DynamoDB has them. `functions/tables.ts` describes the tables by these types. An
 * index or a permission for an attribute that no row has therefore does not compile.
 */

import type { ActEvent } from '../../domain/acts/act.ts';
import type { Asset } from '../../domain/assets.ts';
import type { ArchivedObject, ManifestLink } from '../../domain/books/archive-ports.ts';
import type { BooksProgress } from '../../domain/books/books-progress.ts';
import type { CoinAccount, CoinMovement } from '../../domain/books/coins.ts';
import type { DaySum } from '../../domain/books/day-sums.ts';
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
import type { ReadingStop } from '../../domain/purchase/unmatched-payment-ports.ts';
import type { CaseClosing, JudgedReviewCase, OpenReviewCase } from '../../domain/screening/review-case.ts';
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

/**
 * The row of a domain type. `Attributes` gives some attributes another type, and adds the attributes that
 * only the row has.
 */
type Kept<Subject, Attributes> = Subject extends unknown
  ? Omit<Subject, keyof Attributes> & Attributes
  : never;

type Id = { id: string };
/**
 * DynamoDB deletes the row some days after `ttl`, in epoch seconds: functions/domain/retention.ts. During a
 * litigation hold of the person, the row has `heldTtl` instead: functions/domain/kyc/litigation-hold.ts.
 */
type Mortal = Id & { ttl?: number; heldTtl?: number };
/**
 * `sweep` is the key of the sparse index `due`. A row has it only while a scheduled function must visit the
 * row.
 */
type Swept = Mortal & { sweep?: ShardedKey };
/**
 * Amounts that DynamoDB itself adds and compares. The client reads small ones as numbers and large ones as
 * bigint.
 */
type RowUnits = number | bigint;

/** The oldest rows lack these two attributes. */
export type PartnerRow = Omit<Partner, 'keyIds' | 'version'> & Partial<Pick<Partner, 'keyIds' | 'version'>>;
export type KeyRow = Kept<ApiKey, Id>;

export type IdempotencyRow = Mortal & {
  requestHash: string;
  reservation: Reservation;
  leaseUntil: number;
  /**
   * The `Reservation.seed` of the request that last took over the work, because the lease of an earlier
   * request had ended.
   */
  takenBy?: string;
  /** The encrypted answer to the request. Absent until the request is answered. */
  answer?: string;
  expiresAt: number;
};
type RateRow = Mortal & RateCounts;

export type KycRecordRow = Kept<KycRecord, Swept & { pendingClientId?: string; live?: ShardedKey }>;
/** Records that a partner's KYC token was used. A token may be used once. */
export type TokenUseRow = Mortal & { requestHash: string; usedFor: string };

/** `dayKey` is the key of the index by day. */
export type EvidenceRow = Kept<Evidence, Mortal & { dayKey: ShardedKey }>;

/**
 * The attributes of a client's row that are string sets in DynamoDB. If two writers add an element at the same time,
 * the set gets both.
 */
export type ClientSets = Partial<
  Record<'wallets' | 'clearedPairs' | 'confirmedPairs' | 'blockedFor', Set<string>>
>;
export type ClientRow = Kept<Client, Swept & ClientSets>;
export type PersonBlockRow = Kept<PersonBlock, Mortal>;
/**
 * The open MED cases of a person at all partners. DynamoDB has no empty sets: `cases` disappears with its
 * last element.
 */
export type OpenMedsRow = Mortal & { cases?: Set<string> };
export type LitigationHoldRow = Kept<LitigationHold, Mortal>;

/** `archiveKey` and `archiveAt` are the keys of the sparse index of purchases whose history must be archived. */
export type TransactionRow = Kept<
  Transaction,
  Mortal & { sweep: ShardedKey; archiveKey?: ShardedKey; archiveAt?: number }
>;
/** `heldKey` is the key of the sparse index of open promises. A promise that has ended does not have it. */
type Held = Mortal & { heldKey?: ShardedKey; reservedAt: number };
export type QuoteRow = Kept<LockedQuote, Held>;
export type PromiseRow = Kept<OpenPromise, Held>;
export type PromiseSumRow = Mortal & { centavos: number };
/** Records that a partner's `externalId` was used. A partner may use each `externalId` once. */
export type ReferenceRow = Mortal & { usedBy: string };
/** The mark that shows whether a table was restored from a backup: functions/domain/treasury/hold.ts. */
type MarkRow = Kept<Mark, Id>;

/** `list` and `place` are the keys of the index that lists a partner's events. */
export type EventRow = Kept<DomainEvent, Swept & { nextCheckAt?: number; list: string; place: string }>;

/**
 * The keys of two sparse indexes. A delivery that waits has `due` and `lookAt`. A parked delivery has
 * `parkedFor`.
 */
export type DeliveryRow = Kept<Delivery, Mortal & { due?: ShardedKey; lookAt?: string; parkedFor?: string }>;
type PaceRow = Kept<Pace, Id>;
/**
 * Without `since`, no period of failures is open: the endpoint has succeeded since its last failure, or it
 * was paused.
 */
export type FailingRow = Mortal & Partial<FailingPeriod>;

export type CallbackRow = Kept<Parameters<Callbacks['store']>[0], Mortal>;

/** Base units as decimal strings, because they are too large for a double. */
type UnitsOfAssets = Partial<Record<Asset, string>>;
export type SettlementRow = Kept<Settlement, Id & { units: string; sweep?: ShardedKey }>;
/**
 * The row of a hot wallet. `given` is the `committed` of `NonceBooks`: the sum of all payouts that ever got a
 * nonce of the wallet.
 */
type WalletRow = Id & { next: number; given?: UnitsOfAssets; quarantine?: Quarantine };
/**
 * The row of one nonce of a wallet, with the settlement that got the nonce. `before` is the sum of the
 * wallet's payouts that got earlier nonces.
 */
type SlotRow = Id & {
  transactionId: string;
  kind: Attempt['kind'];
  before?: UnitsOfAssets;
  reason?: string;
  attempts?: Attempt[];
  /** The gas that was paid for this nonce: the cost of its transaction, which is final. */
  gas?: Kept<GasSpent, { wei: string }>;
};
/**
 * The payouts of an asset in the last hour. `units` has one sum for each slice of five minutes, the current
 * slice first.
 */
export type WindowRow = Kept<
  PayoutWindow,
  Id & { units: string[]; allowance?: Kept<Allowance, { units: string }> }
>;

/**
 * The float of an asset. `taken` is the sum of all held reservations. Each reading of the wallets and each
 * release of reservations raises `revision`.
 */
export type FloatRow = Kept<
  Omit<Float, 'asset'>,
  {
    id: Asset;
    hotWallets: Set<string>;
    room: RowUnits;
    largest: RowUnits;
    hourlyPayout: RowUnits;
    taken: RowUnits;
    revision: number;
    /** Since when the provider's setting about payers could not be read. */
    payerUnknownSince?: number;
  }
>;
/**
 * The reservation of one purchase. `heldKey` is the key of the sparse index of held reservations. A released
 * one does not have it.
 */
export type ReservationRow = Mortal & {
  asset: Asset;
  units: RowUnits;
  reservedAt: number;
  heldKey?: ShardedKey;
};
/**
 * One counter of a client, person or partner. It counts the centavos bought in a period, the open charges, or
 * the paid registry look-ups.
 */
export type UsageRow = Mortal & UsageNumbers & { newestId?: string };
type UsageNumbers = Partial<Record<'centavos' | 'charges' | 'until' | 'calls', number>>;
export type PriceHistoryRow = Kept<
  Omit<PriceHistory, 'asset'>,
  Id & {
    spans: { from: number; lowest: RowUnits; highest: RowUnits }[];
    asks?: { venue: Venue; ask: RowUnits; at: number }[];
    ptax?: Omit<KeptPtax, 'rate'> & { rate: RowUnits };
  }
>;

/**
 * `statusKey` is the key of the index by status. `decidedKey` is the key of the index of decided cases. A
 * closed case has neither `status` nor `statusKey`. The next write that opens a case with this id therefore
 * opens it again.
 */
export type CaseRow =
  | Kept<OpenReviewCase | JudgedReviewCase, CaseKeys & { statusKey: ShardedKey }>
  | (Kept<Omit<OpenReviewCase, 'status'>, CaseKeys> & { closing: CaseClosing; decidedAt: number });
type CaseKeys = Mortal & { decidedKey?: ShardedKey };

export type MoneyCaseRow = Kept<MoneyCase, Mortal & { statusKey: ShardedKey }>;
type BooksCursorRow = Id & { progress: BooksProgress };
export type CoinAccountRow = Id & { coins: CoinAccount };
export type CoinMovementRow = Id & { coinsMoved: CoinMovement };
export type ClosedDayRow = Id & { closedDay: string };
export type DaySumsRow = Id & { sums: DaySum[]; isCut: boolean };

/** `open` is the key of the sparse index of unmatched payments that are not returned yet. */
export type UnmatchedPaymentRow = Kept<UnmatchedPayment, Swept & { open?: ShardedKey }>;
type PixCursorRow = Id & { upTo: number; stop?: ReadingStop };

/** `month` is the key of the index by time. */
export type ActRow = Kept<ActEvent, Mortal & { month: string }>;

/**
 * `dayKey` is the key of the index by day. `outsideId` is the key of the index by the id that others know. It is the
 * hash of the posting's transfer, or otherwise the end-to-end id of its Pix. `late` is the key of the sparse index of
 * postings that were recorded late.
 */
export type PostingRow = Kept<Posting, Mortal & { dayKey: ShardedKey; outsideId?: string; late?: 'LATE' }>;

/** Records that a session of the console has ended. The id of the row is that of the session. */
export type EndedSessionRow = Mortal;

/** The register of the objects in the archive. The row's id is the key of the object in S3. */
export type ArchivedRow = Mortal & Omit<ArchivedObject, 'key'> & { dayKey: ShardedKey };

/**
 * The progress of the archive, in one row. Evidence up to `evidenceUpTo` is in the archive. `closed` is the
 * last day whose manifest was written.
 */
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
  moneyCases: MoneyCaseRow | BooksCursorRow | CoinAccountRow | CoinMovementRow | ClosedDayRow | DaySumsRow;
  unmatchedPayments: UnmatchedPaymentRow | PixCursorRow;
  ledger: PostingRow;
  acts: ActRow;
  archive: ArchivedRow | ArchiveProgressRow;
  witness: Kept<WitnessMark, Id>;
  endedSessions: EndedSessionRow;
};

/**
 * The names of a row's attributes that are keys of sharded indexes. An attribute of type `never` is left out,
 * because `never` extends every type.
 */
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
