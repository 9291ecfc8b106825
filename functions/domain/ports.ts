/**
 * What the domain needs of the outside. Adapters implement it; each fails in two ways only: a `Refusal` (final)
 * or `Unavailable` (repeat). Methods named `find…` and `list…` read; all others may write.
 *
 * Rule of every save: compare-and-set. A change names the status and sequence that it was computed from; where the
 * row has moved on nothing is written and the answer is false. One of two racers wins, the other reads again.
 */
import type { Client } from './challenge.ts';
import type { DomainEvent } from './events.ts';
import type { KycRecord, RegistryEntry } from './kyc.ts';
import type { ApiKey, Partner } from './partner.ts';
import type { NewCharge, PayerMatch, PixCharge, PixHint, PixRefund, ReceivedPix } from './pix.ts';
import type { RateCounts, RateScope } from './rate-limit.ts';
import type { Evidence, Identity, Screening } from './screening.ts';
import type { Payout, SettlementOutcome } from './settlement.ts';
import type { Asset, Change, Instant, Status, Transaction } from './transaction.ts';

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
export type Ids = { transaction(): string; kycToken(): string };

export type Random = { bytes(length: number): Uint8Array };

export type Partners = {
  /** Key and partner, read consistently: a revoked key is refused at once. */
  findCaller(partnerId: string, keyId: string): Promise<{ key?: ApiKey; partner?: Partner }>;
  findPartner(partnerId: string): Promise<Partner | undefined>;
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

export type KycRecords = {
  findRecord(token: string): Promise<KycRecord | undefined>;
  /** Put-if-absent, with the evidence in the same write; the answer is the record that is there now. */
  create(record: KycRecord, evidence: Evidence): Promise<KycRecord>;
};

export type EvidenceStore = { record(evidence: Evidence): Promise<void> };

export type Clients = {
  findClient(id: string): Promise<Client | undefined>;
  /** Put-if-absent; the answer is the client that is there now. */
  create(client: Client): Promise<Client>;
  /** Accepts a code of `step` for the transaction unless that step was used otherwise: false then. */
  acceptCode(id: string, step: number, transactionId: string, now: number): Promise<boolean>;
  /** Counts a wrong code; at the limit the count restarts and the client is locked until `lockUntil`. */
  countWrongCode(id: string, limit: number, lockUntil: number): Promise<void>;
};

export type Transactions = {
  findTransaction(id: string): Promise<Transaction | undefined>;
  /** Rows past their `nextCheckAt`, oldest first; the index may be stale. */
  listDue(now: number, limit: number): Promise<string[]>;
  /** Put-if-absent; the answer is the transaction that is there now. */
  create(transaction: Transaction): Promise<Transaction>;
  /** The change and its events in one write. False: the row was no longer as the change says. */
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

export type Events = {
  findEvent(id: string): Promise<DomainEvent | undefined>;
  /** Events older than `before` that no delivery has taken up; the index may be stale. */
  listUndelivered(before: number, limit: number): Promise<string[]>;
  markTaken(id: string): Promise<void>;
};

/** One event on its way to one endpoint. Times in epoch milliseconds. */
export type Delivery = {
  id: string;
  eventId: string;
  endpointId: string;
  status: 'PENDING' | 'DELIVERED' | 'PARKED';
  attempts: number;
  nextAttemptAt?: number;
  lastStatusCode?: number;
};

export type Deliveries = {
  findDelivery(eventId: string, endpointId: string): Promise<Delivery | undefined>;
  listDue(now: number, limit: number): Promise<string[]>;
  save(delivery: Delivery): Promise<void>;
};

/** What a provider's message said, without what is personal in it; stored before it is answered. */
export type Callbacks = { store(callback: { id: string; hints: PixHint[]; at: number }): Promise<void> };

/** The state machine. Starting and resuming what is already so is no error. */
export type Machine = {
  start(transactionId: string, status: Status, executions: number): Promise<void>;
  isRunning(transactionId: string, executions: number): Promise<boolean>;
  resume(token: string, output: { transactionId: string; status: Status }): Promise<void>;
};

export type Queue = { send(message: Record<string, unknown>): Promise<void> };

export type PixProvider = {
  /** Creates the charge, or finds the one that an earlier call with this txid made. */
  createCharge(charge: NewCharge): Promise<PixCharge>;
  findCharge(txid: string): Promise<PixCharge | undefined>;
  /** Closes the charge to payments and reads it again: it may have been paid meanwhile. */
  closeCharge(txid: string): Promise<PixCharge | undefined>;
  findPayer(payment: ReceivedPix, cpf: string): Promise<PayerMatch>;
  /** Every Pix received between two instants, whatever its txid. */
  listReceived(from: number, to: number): Promise<ReceivedPix[]>;
  /** Starts a full refund under `id`, or finds the one that an earlier call started. */
  refund(refund: { endToEndId: string; id: string; amountCentavos: number }): Promise<PixRefund>;
  /** Makes sure that callbacks for our key come to us. */
  registerCallback(): Promise<void>;
  /** Whether a callback's path token is ours, in constant time. */
  isCallbackToken(token: string): Promise<boolean>;
  /** The payments to our own key that a callback's body names; what is malformed is dropped. */
  readCallback(body: string): Promise<PixHint[]>;
};

export type CpfRegistry = { findCpf(cpf: string): Promise<RegistryEntry | undefined> };

export type SanctionsLists = { search(identity: Identity): Promise<Screening> };

/** The chain's view of an address. Anything but a clean answer is `Unavailable`, never a pass. */
export type WalletRisk = {
  check(address: string): Promise<{ isSanctioned: boolean; oracle: string; blockNumber: number }>;
  /** Addresses that must never be a destination: the tokens' contracts and the oracle. */
  listReserved(): readonly string[];
};

export type PriceFeed = {
  /** Best ask in BRL per token as a decimal string. */
  ask(asset: Asset): Promise<string>;
};

export type Treasury = {
  /** Drives the payout one visit further. Idempotent; any number may run at once. */
  settle(payout: Payout): Promise<SettlementOutcome>;
};

export type WebhookSender = {
  /** Posts a signed body. Answers the HTTP status, or undefined when there was no answer. */
  post(url: string, secret: string, message: { id: string; body: string }): Promise<number | undefined>;
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
  evidence: EvidenceStore;
  clients: Clients;
  transactions: Transactions;
  events: Events;
  deliveries: Deliveries;
  callbacks: Callbacks;
  machine: Machine;
  webhookQueue: Queue;
  callbackQueue: Queue;
  pix: PixProvider;
  cpfRegistry: CpfRegistry;
  sanctions: SanctionsLists;
  walletRisk: WalletRisk;
  prices: PriceFeed;
  treasury: Treasury;
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
      ? ReadsOnly<Ports[P]>
      : never;
};
