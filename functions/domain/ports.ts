/**
 * The ports: the interfaces through which the domain uses the outside. Adapters implement them. A call fails
 * in two expected ways. `Refusal` is final. After `Unavailable` the caller repeats the call. Any other error
 * is a bug, or an answer that nobody expected. Methods named `find…` and `list…` only read. All other methods
 * may write. Each subject declares its ports beside its rules. This file lists all ports, and declares those
 * that all subjects share.
 *
 * A change of a purchase or of money is compare-and-set: it names the status, sequence or revision from which
 * it was computed. If the row has changed since, nothing is written and the answer is false. If two callers
 * write at once, one of them succeeds, and the other caller reads the row again.
 */

import type { PerAsset } from './assets.ts';
import type { ArchiveBucket, ArchiveRegister, RowLists, UnarchivedPurchases } from './books/archive-ports.ts';
import type { CoinBooks } from './books/coin-ports.ts';
import type { DaySums, Ledger, PartnerLedger } from './books/ledger-ports.ts';
import type { MoneyCases } from './books/money-case-ports.ts';
import type { Clients } from './kyc/client-ports.ts';
import type { IdentityProvider } from './kyc/identity-ports.ts';
import type { KycRecords, KycRescreenings, KycReviews, Overrulings, StaleRecords } from './kyc/kyc-ports.ts';
import type { LitigationHolds } from './kyc/litigation-hold-ports.ts';
import type { PersonBlocks } from './kyc/person-block-ports.ts';
import type { CompanyRegistry, CpfRegistry } from './kyc/registry-ports.ts';
import type { Idempotency } from './partners/idempotency-ports.ts';
import type { KeyLimits } from './partners/made-key.ts';
import type { Pages } from './partners/page-ports.ts';
import type { KeyNews, PartnerKeys, Partners, VendorKeys } from './partners/partner-ports.ts';
import type { PartnerTokens } from './partners/partner-token-ports.ts';
import type { RateLimiter } from './partners/rate-limit-ports.ts';
import type { RegistryQuotas } from './partners/registry-quota.ts';
import type {
  Announcements,
  Deliveries,
  EventLog,
  Events,
  EventTargets,
  FailingEndpoints,
  WebhookSender,
} from './partners/webhook-ports.ts';
import type { Callbacks } from './purchase/callback-ports.ts';
import type { ChargeLimits } from './purchase/charge-limits.ts';
import type { EvidenceStore } from './purchase/evidence-ports.ts';
import type { ExecutionHistories } from './purchase/execution.ts';
import type { LivenessAttempts } from './purchase/liveness-ports.ts';
import type { Machine } from './purchase/machine-ports.ts';
import type { PromiseLimits } from './purchase/open-promise.ts';
import type { PixCallback, PixProvider } from './purchase/pix-ports.ts';
import type { OpenPromises, Promises } from './purchase/promise-ports.ts';
import type { PurchaseLists } from './purchase/purchase-list.ts';
import type { QuoteOffers, Quotes } from './purchase/quote-ports.ts';
import type { Explorer } from './purchase/receipt.ts';
import type { DestinationSealer, UnitsSealer } from './purchase/sealed-terms.ts';
import type { Transactions } from './purchase/transaction-ports.ts';
import type { UnmatchedLists, UnmatchedPayments } from './purchase/unmatched-payment-ports.ts';
import type { Usages } from './purchase/usage-ports.ts';
import type { ListArchive, Publishers } from './screening/list-ports.ts';
import type { ListEffects } from './screening/lists.ts';
import type { CaseMarks } from './screening/review-case-ports.ts';
import type { SanctionsLists } from './screening/screening-ports.ts';
import type { ListedWallets, WalletRisk } from './screening/wallet-ports.ts';
import type { Instant } from './time.ts';
import type { Charges } from './treasury/charge-ports.ts';
import type { Holds } from './treasury/hold-ports.ts';
import type { FloatLimits } from './treasury/liquidity.ts';
import type {
  Floats,
  HotWallets,
  Liquidity,
  OpenPurchases,
  PayerWatch,
  RefundCover,
} from './treasury/liquidity-ports.ts';
import type { PriceBounds } from './treasury/order-book.ts';
import type { Outflows } from './treasury/outflow-ports.ts';
import type { PriceFeed, PriceHistories, PtaxFeed } from './treasury/price-ports.ts';
import type { Cancellations, Transfers, Treasury } from './treasury/settlement-ports.ts';
import type { Condition } from './watching/conditions.ts';
import type { DimensionsOf, Metric } from './watching/metrics.ts';

export type Clock = {
  /** Epoch milliseconds. */
  now(): number;
  /** The length of a minute in all waits: 60,000, or less in a sandbox with short minutes. */
  minuteMs: number;
};

export function instantOf(clock: Clock): Instant {
  return { now: clock.now(), minuteMs: clock.minuteMs };
}

/**
 * The ids that a request creates. They are made from the request's `Reservation`, so a repeated request
 * gets the same ids.
 */
export type Ids = { transaction(): string; kycToken(): string; quote(): string; request(): string };

export type Random = { bytes(length: number): Uint8Array };

/**
 * Encrypts data before they are stored. A ciphertext can be decrypted only with the `context` with which it was
 * encrypted.
 */
export type Cipher = {
  encrypt(plaintext: string, context: string): Promise<string>;
  decrypt(ciphertext: string, context: string): Promise<string>;
};
export type Sealer = Pick<Cipher, 'encrypt'>;
export type Opener = Pick<Cipher, 'decrypt'>;

/** Makes the hashes by which rows are found. */
export type Lookup = {
  /** A keyed hash (HMAC-SHA-256, hex). It stands for a value that must not be stored, such as a CPF. */
  fingerprint(value: string): Promise<string>;
};

export type Queue = { send(message: Record<string, unknown>): Promise<void> };

/** The times at which a queue delivers failed messages again. */
export type Retries = {
  /** Delivers this receipt of a message again after this many seconds. Otherwise the queue's own time-out counts. */
  retryIn(receipt: { queueArn: string; handle: string }, seconds: number): Promise<void>;
};

export type Fields = Record<string, string | number | boolean>;

export type Log = {
  info(message: string, fields?: Fields): void;
  /**
   * Logs a failure that needs no person. Either the work is repeated, or the failure has an effect that
   * raises another alarm.
   */
  warn(message: string, error: unknown, fields?: Fields): void;
  /** Logs a condition that needs a person, and raises its alarm. */
  raise(condition: Condition, error: unknown, fields?: Fields): void;
  /** Adds a value to a metric of the business. Call it after the write that it counts. */
  measure<Name extends Metric>(name: Name, value: number, dimensions: DimensionsOf<Name>): void;
};

export type Ports = {
  /** `sandbox` or `production`. */
  stage: string;
  clock: Clock;
  random: Random;
  log: Log;
  partners: Partners;
  /** The settings that a partner changes itself. */
  partnerSettings: Pick<Partners, 'findPartner' | 'save'>;
  partnerKeys: PartnerKeys;
  keyNews: KeyNews;
  vendorKeys: VendorKeys;
  keyLimits: KeyLimits;
  rateLimiter: RateLimiter;
  registryQuotas: RegistryQuotas;
  /** How many paid look-ups a partner may cause in a day, unless operators changed its quota. */
  registryQuota: number;
  idempotency: Idempotency;
  lookup: Lookup;
  /** Encrypts and decrypts personal data. */
  vault: Cipher;
  /**
   * Encrypt and decrypt TOTP secrets. Each purpose of the vault has its own permission: docs/security.md,
   * "Least privilege".
   */
  totpSealer: Sealer;
  totpOpener: Opener;
  /** Encrypt and decrypt the secrets of webhook endpoints. */
  webhookSealer: Sealer;
  webhookOpener: Opener;
  /** Seal the terms of a payout: docs/decisions.md, "A sealed payout". Only `treasury` can open the seals. */
  destinationSealer: DestinationSealer;
  unitsSealer: UnitsSealer;
  kycRecords: KycRecords;
  kycReviews: KycReviews;
  dueReviews: Pick<KycReviews, 'listDue'>;
  overrulings: Overrulings;
  rescreenings: KycRescreenings;
  staleRecords: StaleRecords;
  caseMarks: CaseMarks;
  partnerTokens: PartnerTokens;
  evidence: EvidenceStore;
  clients: Clients;
  newClients: Pick<Clients, 'create'>;
  personBlocks: PersonBlocks;
  litigationHolds: LitigationHolds;
  chargeLimits: ChargeLimits;
  usages: Usages;
  transactions: Transactions;
  /** The parts of `transactions` that only one kind of function may use. The grant of `transactions` lacks them. */
  newPurchases: Pick<Transactions, 'create'>;
  purchaseWaits: Pick<Transactions, 'saveWait'>;
  duePurchases: Pick<Transactions, 'listDue' | 'postpone'>;
  quotes: Quotes;
  quoteOffers: QuoteOffers;
  promises: Promises;
  openPromises: OpenPromises;
  promiseLimits: PromiseLimits;
  unmatchedPayments: UnmatchedPayments;
  dueReturns: Pick<UnmatchedPayments, 'listDue'>;
  unmatchedLists: UnmatchedLists;
  explorer: Explorer;
  /** The address of our API, without a slash at its end. */
  apiUrl: string;
  purchaseLists: PurchaseLists;
  holds: Holds;
  moneyCases: MoneyCases;
  coinBooks: CoinBooks;
  openCases: Pick<MoneyCases, 'listOpen'>;
  ledger: Ledger;
  daySums: DaySums;
  partnerLedger: PartnerLedger;
  livenessAttempts: LivenessAttempts;
  events: Events;
  lostEvents: Pick<Events, 'findEvent' | 'listUndelivered' | 'postpone'>;
  eventLog: EventLog;
  eventTargets: EventTargets;
  announcements: Announcements;
  deliveries: Deliveries;
  dueDeliveries: Omit<Deliveries, 'findDelivery' | 'listParked' | 'save' | 'findPace' | 'savePace'>;
  failingEndpoints: FailingEndpoints;
  callbacks: Callbacks;
  machine: Machine;
  executions: ExecutionHistories;
  archiveBucket: ArchiveBucket;
  archiveRegister: ArchiveRegister;
  unarchived: UnarchivedPurchases;
  evidenceLists: RowLists;
  actLists: RowLists;
  webhookQueue: Queue;
  callbackQueue: Queue;
  retries: Retries;
  pix: PixProvider;
  pixCallback: PixCallback;
  identity: IdentityProvider;
  cpfRegistry: CpfRegistry;
  companyRegistry: CompanyRegistry;
  sanctions: SanctionsLists;
  listEffects: ListEffects;
  listedWallets: ListedWallets;
  publishers: Publishers;
  listArchive: ListArchive;
  walletRisk: WalletRisk;
  prices: PriceFeed;
  ptax: PtaxFeed;
  priceHistories: PriceHistories;
  priceBounds: PerAsset<PriceBounds>;
  treasury: Treasury;
  outflows: Outflows;
  floats: Floats;
  floatLimits: PerAsset<FloatLimits>;
  liquidity: Liquidity;
  charges: Charges;
  refundCover: RefundCover;
  payerWatch: PayerWatch;
  /** How many days the proof of the payer is valid. */
  payerProofDays: number;
  openPurchases: OpenPurchases;
  hotWallets: HotWallets;
  cancellations: Cancellations;
  transfers: Transfers;
  webhookSender: WebhookSender;
  pages: Pages;
};

type ReadsOnly<Port> = {
  [M in keyof Port as M extends `find${string}` | `list${string}` ? M : never]: Port[M];
};

/** A port, or with `:read` only its reading methods, such as `transactions:read`. */
export type Need = keyof Ports | `${keyof Ports}:read`;

/**
 * The ports that a function declares. `infra/` grants exactly these to its Lambda: docs/architecture.md, "From one
 * list".
 */
export type Needs<List extends readonly Need[]> = {
  [N in List[number] as N extends `${infer P}:read` ? P : N]: N extends keyof Ports
    ? Ports[N]
    : N extends `${infer P extends keyof Ports}:read`
      ? // A function that also needs the whole port has all of it.
        P extends List[number]
        ? Ports[P]
        : ReadsOnly<Ports[P]>
      : never;
};
