/**
 * What the domain needs of the outside. Adapters implement it; each fails in two ways only: a `Refusal` (final)
 * or `Unavailable` (repeat). Methods named `find…` and `list…` read; all others may write.
 *
 * Rule of every save: compare-and-set. A change names the status and sequence that it was computed from; where the
 * row has moved on nothing is written and the answer is false. One of two racers wins, the other reads again.
 */

import type { Ledger } from './books/ledger-ports.ts';
import type { MoneyCases } from './books/money-case-ports.ts';
import type { Charges, Client } from './kyc/client.ts';
import type { IdentityHint, Liveness, SpentReview } from './kyc/identity.ts';
import type { IdentityProvider } from './kyc/identity-ports.ts';
import type { ClosedEntry, CompanyEntry, RegistryEntry, Verdict } from './kyc/kyc.ts';
import type {
  KycRecords,
  KycRescreenings,
  KycReviews,
  Overrulings,
  PartnerTokens,
  StaleRecords,
} from './kyc/ports.ts';
import type { ApiKey, Partner } from './partners/partner.ts';
import type { Deliveries, Events } from './partners/ports.ts';
import type { RateCounts, RateScope } from './partners/rate-limit.ts';
import type { ChargeLimits } from './purchase/charge-limits.ts';
import type { PixHint } from './purchase/pix.ts';
import type { PixProvider } from './purchase/pix-ports.ts';
import type { Strays } from './purchase/stray-ports.ts';
import type { Status, Transaction } from './purchase/transaction.ts';
import type { Change } from './purchase/transitions.ts';
import type { ListArchive, Publishers } from './screening/list-ports.ts';
import type { Evidence, Identity, IndexInUse, ListEffects, Screening } from './screening/screening.ts';
import type { ListedWallets, WalletRisk } from './screening/wallet-ports.ts';
import type { Instant } from './time.ts';
import type { Holds } from './treasury/hold-ports.ts';
import type { FloatLimits } from './treasury/liquidity.ts';
import type { Floats, HotWallets, Liquidity, OpenPurchases } from './treasury/liquidity-ports.ts';
import type { Outflows } from './treasury/outflow-ports.ts';
import type { PriceBounds } from './treasury/price.ts';
import type { PriceFeed, PriceHistories } from './treasury/price-ports.ts';
import type { Cancellations, Transfers, Treasury } from './treasury/settlement-ports.ts';

export type { PixProvider };

export type Clock = {
  /** Epoch milliseconds. */
  now(): number;
  /** What a minute of the waits lasts: 60,000 but in a hurried sandbox. */
  minuteMs: number;
};

export function instantOf(clock: Clock): Instant {
  return { now: clock.now(), minuteMs: clock.minuteMs };
}

/** Identifiers of one request. They come from its reservation, so a retry of the request gets the same. */
export type Ids = { transaction(): string; kycToken(): string; request(): string };

export type Random = { bytes(length: number): Uint8Array };

export type Partners = {
  /** Key and partner, read consistently: a revoked key is refused at once. */
  findCaller(partnerId: string, keyId: string): Promise<{ key?: ApiKey; partner?: Partner }>;
  findPartner(partnerId: string): Promise<Partner | undefined>;
  findKey(partnerId: string, keyId: string): Promise<ApiKey | undefined>;
  /** The partner's keys in the order in which they were made. */
  listKeys(partner: Partner): Promise<ApiKey[]>;
  /** Sets fields of the partner as it was read. False: somebody has changed it since. */
  save(partner: Partner, set: Partial<Omit<Partner, 'id' | 'version'>>): Promise<boolean>;
  /**
   * Refused from the very next request on. Revoking twice is no error; the key must be there. False where `by`, the
   * partner's key that asks for it, is not active any more: of two that revoke each other, one stays.
   */
  revokeKey(partnerId: string, keyId: string, by?: string): Promise<boolean>;
};

export type RateLimiter = {
  /** Counts one request in all `scopes`, or in none of them when one is full. Exact under concurrency. */
  count(
    keyId: string,
    minute: number,
    scopes: RateScope[],
  ): Promise<{ isAllowed: boolean; counts: RateCounts }>;
};

/** The first request with an idempotency key, and its stored answer once there is one. */
export type Reservation = { at: number; seed: string };
export type StoredAnswer = { statusCode: number; body: string };
export type Claim =
  | { state: 'OURS'; reservation: Reservation }
  | { state: 'IN_PROGRESS'; retryAfterSeconds: number }
  | { state: 'OTHER_REQUEST' }
  | { state: 'ANSWERED'; answer: StoredAnswer };

export type Idempotency = {
  /** Claims `scope` for `leaseMs`, or tells who has it. A lease that ran out is taken over with its reservation. */
  claim(scope: string, requestHash: string, reservation: Reservation, leaseMs: number): Promise<Claim>;
  remember(scope: string, answer: StoredAnswer): Promise<void>;
  /** Gives the lease back with the reservation kept, so that a retry goes on at once. */
  release(scope: string): Promise<void>;
};

/** Secrets at rest. `context` is bound to the ciphertext: it only opens under the same. */
export type Vault = {
  encrypt(plaintext: string, context: string): Promise<string>;
  decrypt(ciphertext: string, context: string): Promise<string>;
  /** Keyed hash (HMAC-SHA-256, hex) for look-up of what must not be stored. */
  fingerprint(value: string): Promise<string>;
};

export type EvidenceStore = { record(evidence: Evidence): Promise<void> };

/** A right code: its time step, and the purchase and the request that it is accepted for. */
export type AcceptedCode = { step: number; transactionId: string; requestId: string; now: number };
export type TryRule = { limit: number; now: number; lockUntil: number };

export type Clients = {
  findClient(id: string): Promise<Client | undefined>;
  /** Put-if-absent; the answer is the client that is there now. */
  create(client: Client): Promise<Client>;
  /** Keeps the row for as long as the law wants after `until`, the end of its latest token. */
  keep(id: string, until: number): Promise<void>;
  /**
   * Accepts a code and clears count and lock. False where its step was used otherwise, or where the secret that it was
   * compared with is no longer the client's.
   */
  acceptCode(client: Pick<Client, 'id' | 'totpCipher'>, code: AcceptedCode): Promise<boolean>;
  /**
   * Counts a try before its code is looked at: the one that reaches `limit` locks the client until `lockUntil` first.
   * With `lockedUntil` nothing was counted and nothing may be looked at. Exact under concurrency.
   */
  countTry(id: string, rule: TryRule): Promise<{ lockedUntil?: number }>;
  /** A new secret that no code fits until the client has proven itself; what older codes were is not forgotten. */
  resetTotp(id: string, totpCipher: string, now: number): Promise<void>;
  /** After the reset of that instant the client has proven itself by liveness: the next challenge is as before. */
  markProven(id: string, resetAt: number): Promise<void>;
  /**
   * Spends a review, which ended after `since`, on one attempt; again for the same attempt is no error. False where a
   * review that ended after `since` was spent on another.
   */
  spendReview(id: string, review: SpentReview & { since: number }): Promise<boolean>;
  /** Notes what a decision found against the client, beside what an earlier one did: see also `Overrulings`. */
  noteVerdict(id: string, verdict: Verdict): Promise<void>;
  /** False where another charge was claimed since the revision before it. */
  saveCharges(id: string, charges: Charges): Promise<boolean>;
  /** Adds to the client's `wallets`, in which each address is once. */
  addWallet(id: string, address: string): Promise<void>;
};

export type Transactions = {
  findTransaction(id: string): Promise<Transaction | undefined>;
  /** Rows past their `nextCheckAt`, oldest first; the index may be stale. */
  listDue(now: number, limit: number): Promise<string[]>;
  /** Put-if-absent; the answer is the transaction that is there now. */
  create(transaction: Transaction): Promise<Transaction>;
  /** The change, its events and its postings in one write. False: the row was no longer as the change says. */
  save(change: Change): Promise<boolean>;
  /** As `save`, and claims the refund: false also where a nonce is owned: docs/decisions.md, "Disposition". */
  saveRefundClaim(change: Change): Promise<boolean>;
  /** Counts a try where fewer than `limit` were made and the code may still be given. */
  countMfaAttempt(id: string, limit: number): Promise<number | undefined>;
  /** Takes a count back: the code was right, and what came after it failed. */
  returnMfaAttempt(id: string): Promise<void>;
  saveWait(id: string, wait: { status: Status; token: string }): Promise<void>;
  /** Plans the next look of the sweeper and notes how many executions were started. */
  postpone(id: string, nextCheckAt: number, executions: number): Promise<void>;
};

export type LivenessAttempts = {
  /** A new link, or a new attempt: false where the attempt is no longer `was` or nobody is waited for any more. */
  save(transactionId: string, liveness: Liveness, was: number): Promise<boolean>;
};

/** What a provider's message said, without what is personal in it; stored before it is answered. */
export type Callbacks = {
  store(callback: { id: string; hints: (PixHint | IdentityHint)[]; at: number }): Promise<void>;
};

/** The state machine. Starting and resuming what is already so is no error. */
export type Machine = {
  start(transactionId: string, status: Status, executions: number): Promise<void>;
  isRunning(transactionId: string, executions: number): Promise<boolean>;
  resume(token: string, output: { transactionId: string; status: Status }): Promise<void>;
};

export type Queue = { send(message: Record<string, unknown>): Promise<void> };

export type CpfRegistry = { findCpf(cpf: string): Promise<RegistryEntry | ClosedEntry | undefined> };

/** Undefined: there is no such CNPJ. */
export type CompanyRegistry = { findCnpj(cnpj: string): Promise<CompanyEntry | undefined> };

export type SanctionsLists = {
  search(identity: Identity): Promise<Screening>;
  /** The index that a search would use now; costs less than a search where none was made before. */
  findIndex(): Promise<IndexInUse>;
};

/** Each of the secrets signs. */
export type WebhookPost = { id: string; body: string; secrets: readonly string[]; timeoutMs: number };

export type WebhookSender = {
  /** Whether a partner may name this address: https and, where it is written out, public; or a laptop's own, by http. */
  isAllowed(url: string): boolean;
  /** Posts a signed body. Answers the HTTP status, or undefined when there was no answer. */
  post(url: string, message: WebhookPost): Promise<number | undefined>;
};

export type Log = {
  info(message: string, fields?: Record<string, string | number | boolean>): void;
  error(message: string, error: unknown, fields?: Record<string, string | number | boolean>): void;
};

export type Ports = {
  /** `sandbox` or `production`. */
  stage: string;
  clock: Clock;
  random: Random;
  log: Log;
  partners: Partners;
  rateLimiter: RateLimiter;
  idempotency: Idempotency;
  vault: Vault;
  kycRecords: KycRecords;
  kycReviews: KycReviews;
  overrulings: Overrulings;
  rescreenings: KycRescreenings;
  staleRecords: StaleRecords;
  partnerTokens: PartnerTokens;
  evidence: EvidenceStore;
  clients: Clients;
  chargeLimits: ChargeLimits;
  transactions: Transactions;
  strays: Strays;
  holds: Holds;
  moneyCases: MoneyCases;
  ledger: Ledger;
  livenessAttempts: LivenessAttempts;
  events: Events;
  deliveries: Deliveries;
  callbacks: Callbacks;
  machine: Machine;
  webhookQueue: Queue;
  callbackQueue: Queue;
  pix: PixProvider;
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
  priceHistories: PriceHistories;
  priceBounds: PriceBounds;
  treasury: Treasury;
  outflows: Outflows;
  floats: Floats;
  floatLimits: FloatLimits;
  liquidity: Liquidity;
  openPurchases: OpenPurchases;
  hotWallets: HotWallets;
  cancellations: Cancellations;
  transfers: Transfers;
  webhookSender: WebhookSender;
};

type ReadsOnly<Port> = {
  [M in keyof Port as M extends `find${string}` | `list${string}` ? M : never]: Port[M];
};

/** A port, or only its reading half: `transactions:read`. */
export type Need = keyof Ports | `${keyof Ports}:read`;

/** The ports that a function declares; `infra/` grants exactly these: docs/decisions.md, "The needs list". */
export type Needs<List extends readonly Need[]> = {
  [N in List[number] as N extends `${infer P}:read` ? P : N]: N extends keyof Ports
    ? Ports[N]
    : N extends `${infer P extends keyof Ports}:read`
      ? // Who needs the whole port besides has the whole.
        P extends List[number]
        ? Ports[P]
        : ReadsOnly<Ports[P]>
      : never;
};
