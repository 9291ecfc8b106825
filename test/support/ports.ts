import { randomBytes } from 'node:crypto';
import type { KMSClient } from '@aws-sdk/client-kms';
import { vault } from '../../functions/adapters/aws/vault.ts';
import { cancellations } from '../../functions/adapters/dynamodb/cancellations.ts';
import { clientStore } from '../../functions/adapters/dynamodb/clients.ts';
import { idempotencyStore } from '../../functions/adapters/dynamodb/idempotency.ts';
import { kycRecordStore, kycReviewStore } from '../../functions/adapters/dynamodb/kyc-records.ts';
import { ledgerStore } from '../../functions/adapters/dynamodb/ledger.ts';
import { livenessAttempts } from '../../functions/adapters/dynamodb/liveness-attempts.ts';
import { moneyCaseStore } from '../../functions/adapters/dynamodb/money-cases.ts';
import { overrulingStore } from '../../functions/adapters/dynamodb/overrulings.ts';
import { partnerRegister, partnerStore } from '../../functions/adapters/dynamodb/partners.ts';
import { rateLimiter } from '../../functions/adapters/dynamodb/rate-limiter.ts';
import {
  callbackStore,
  deliveryStore,
  eventStore,
  evidenceStore,
} from '../../functions/adapters/dynamodb/records.ts';
import { rescreeningStore, staleRecordStore } from '../../functions/adapters/dynamodb/rescreenings.ts';
import { transactionStore } from '../../functions/adapters/dynamodb/transactions.ts';
import { unmatchedPaymentStore } from '../../functions/adapters/dynamodb/unmatched-payments.ts';
import { partnerTokens } from '../../functions/adapters/partner-tokens.ts';
import type { PixCharge, ReceivedPix } from '../../functions/domain/purchase/pix.ts';
import { STATUSES, type Status } from '../../functions/domain/purchase/status.ts';
import {
  MFA_WINDOW_MINUTES,
  PIX_WINDOW_MINUTES,
  type Transaction,
} from '../../functions/domain/purchase/transaction.ts';
import { LIST_EFFECTS } from '../../functions/domain/screening/lists.ts';
import { idsOf, newReservation } from '../../functions/logic/ids.ts';
import { putApproved } from './approved.ts';
import { aPartner, aTransaction, MINUTE_MS } from './builders.ts';
import { dice as random } from './dice.ts';
import { fakeDataKeys } from './fake-data-keys.ts';
import {
  stubCompanies,
  stubIdentity,
  stubLists,
  stubMachine,
  stubOutflows,
  stubPix,
  stubQueue,
  stubRegistry,
  stubSender,
  stubTreasury,
  stubWalletRisk,
} from './providers.ts';
import { stubClock } from './stub-clock.ts';
import { stubFloats, stubLiquidity } from './stub-float.ts';
import { stubHolds } from './stub-holds.ts';
import { stubLog } from './stub-log.ts';
import { PRICE_BOUNDS, stubPriceHistories, stubPrices } from './stub-market.ts';
import { memoryTables, type Tables } from './tables.ts';

/** So late that the shared sandbox's own sweeper finds none of these rows due. */
const START = '2099-01-01T00:00:00Z';
export const START_AT = Date.parse(START);
export const MFA_UNTIL = START_AT + MFA_WINDOW_MINUTES * MINUTE_MS;
export const PIX_UNTIL = START_AT + PIX_WINDOW_MINUTES * MINUTE_MS;

export type TestPorts = ReturnType<typeof openPorts>;

/** Every port: real stores on the given tables, a clock that the test moves, an outside that obeys. */
export function openPorts({ client, names }: Tables = memoryTables()) {
  const clock = stubClock(START);
  const kms = fakeDataKeys();
  const locked = vault({
    load: async () => kms as unknown as KMSClient,
    dataKeyId: 'data-key',
    lookupSecret: async () => 'a look-up secret of tests',
    random,
    clock,
  });
  return {
    stage: 'sandbox',
    clock,
    random,
    vault: locked,
    log: stubLog(),
    partners: partnerStore(client, names.partners, random),
    register: partnerRegister(client, names.partners, random),
    rateLimiter: rateLimiter(client, names.requests),
    idempotency: idempotencyStore(client, names.requests, { vault: locked, clock }),
    kycRecords: kycRecordStore(client, names, random),
    kycReviews: kycReviewStore(client, names, random),
    overrulings: overrulingStore(client, names, random),
    rescreenings: rescreeningStore(client, names, random),
    staleRecords: staleRecordStore(client, names.kycRecords, random),
    partnerTokens: partnerTokens(),
    cpfRegistry: stubRegistry(),
    companyRegistry: stubCompanies(),
    sanctions: stubLists(),
    listEffects: LIST_EFFECTS,
    evidence: evidenceStore(client, names.evidence),
    clients: clientStore(client, names.clients, random),
    chargeLimits: { openCharges: 1, dailyBrl: 50_000 },
    transactions: transactionStore(client, names, random),
    unmatchedPayments: unmatchedPaymentStore(client, names, random),
    moneyCases: moneyCaseStore(client, names, random),
    ledger: ledgerStore(client, names.ledger),
    livenessAttempts: livenessAttempts(client, names.transactions, random),
    events: eventStore(client, names.events),
    deliveries: deliveryStore(client, names.deliveries),
    callbacks: callbackStore(client, names.callbacks),
    pix: stubPix(clock.now),
    prices: stubPrices(),
    priceHistories: stubPriceHistories(clock.now),
    priceBounds: PRICE_BOUNDS,
    identity: stubIdentity(),
    machine: stubMachine(),
    treasury: stubTreasury(),
    outflows: stubOutflows(),
    floats: stubFloats(clock.now),
    holds: stubHolds(),
    liquidity: stubLiquidity(),
    cancellations: cancellations(client, names.settlements, random),
    walletRisk: stubWalletRisk(),
    webhookSender: stubSender(),
    webhookQueue: stubQueue(),
    callbackQueue: stubQueue(),
  };
}

export const newId = () => idsOf(newReservation(START_AT, random)).transaction();
/** 32 characters, as the Central Bank's end-to-end ids. */
export const newEndToEndId = () => `E${randomBytes(15).toString('hex')}x`;

const DEADLINES: Partial<Record<Status, number>> = { AWAITING_MFA: MFA_UNTIL, AWAITING_PIX: PIX_UNTIL };

/** A purchase that has come as far as `status`, under an id and a partner of its own. */
export function aPurchaseIn(status: Status, changes: Partial<Transaction> = {}): Transaction {
  const id = newId();
  const isPaid = STATUSES[status].paid;
  return aTransaction({
    id,
    partnerId: `p${id.slice(-12).toLowerCase()}`,
    clientId: `client-${id}`,
    kycToken: `kyc_${id}`,
    status,
    createdAt: START_AT,
    expiresAt: DEADLINES[status],
    nextCheckAt: START_AT + 60 * MINUTE_MS,
    history: [{ status, at: START_AT }],
    ...((isPaid || status === 'AWAITING_PIX') && { pix: { payload: 'BRCODE', expiresAt: PIX_UNTIL } }),
    ...(isPaid && {
      payment: { endToEndId: newEndToEndId(), paidAt: START_AT + MINUTE_MS, amountCentavos: 250_00 },
    }),
    ...changes,
  });
}

/** The same, stored, with its partner and the approved KYC record that it rests on. */
export async function putPurchaseIn(ports: TestPorts, status: Status, changes: Partial<Transaction> = {}) {
  const purchase = aPurchaseIn(status, changes);
  await putApproved(ports, purchase);
  await ports.register.create(aPartner({ id: purchase.partnerId }));
  return ports.transactions.create(purchase);
}

export function aReceivedPix({ id }: { id: string }, changes: Partial<ReceivedPix> = {}): ReceivedPix {
  return {
    endToEndId: newEndToEndId(),
    txid: id,
    key: 'our-key',
    amountCentavos: 250_00,
    paidAt: START_AT + MINUTE_MS,
    ...changes,
  };
}

/** The charge of a purchase at the provider, paid with the given Pix; without any it is open. */
export function aCharge({ id }: { id: string }, payments: ReceivedPix[] = []): PixCharge {
  return {
    txid: id,
    status: payments.length > 0 ? 'PAID' : 'ACTIVE',
    key: 'our-key',
    amountCentavos: 250_00,
    payload: 'BRCODE',
    createdAt: START_AT,
    expiresAt: PIX_UNTIL,
    payments,
  };
}

/** The purchase as it is now. */
export async function reread(ports: TestPorts, { id }: { id: string }): Promise<Transaction> {
  return (await ports.transactions.findTransaction(id))!;
}

/** The events of a purchase in their order, found by the ids that they must have. */
export async function eventsOf(ports: TestPorts, transaction: { id: string; sequence: number }) {
  const { sequence } = await reread(ports, transaction);
  const ids = Array.from({ length: sequence + 1 }, (_, index) => `${transaction.id}.${index + 1}`);
  const found = await Promise.all(ids.map((id) => ports.events.findEvent(id)));
  return found.filter((event) => event !== undefined);
}
