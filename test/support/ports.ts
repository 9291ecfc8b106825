import { randomBytes } from 'node:crypto';
import type { KMSClient } from '@aws-sdk/client-kms';
import type { Chain } from '../../functions/adapters/chain/chain.ts';
import { assemble, load } from '../../functions/adapters/live/assemble.ts';
import type { PixCharge, ReceivedPix } from '../../functions/domain/purchase/pix.ts';
import { STATUSES, type Status } from '../../functions/domain/purchase/status.ts';
import {
  MFA_WINDOW_MINUTES,
  PIX_WINDOW_MINUTES,
  type Transaction,
} from '../../functions/domain/purchase/transaction.ts';
import { LIST_EFFECTS } from '../../functions/domain/screening/lists.ts';
import { newReservation, reservedIds } from '../../functions/logic/ids.ts';
import { DESK_MAKERS } from '../../operations/makers.ts';
import { putApproved } from './approved.ts';
import { aPartner, aTransaction, factsIn, MINUTE_MS, type TransactionChanges } from './builders.ts';
import { limitsWith } from './charge-limits.ts';
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
import { PRICE_BOUNDS, stubPriceHistories, stubPrices, stubPtax } from './stub-market.ts';
import { memoryTables, type Tables } from './tables.ts';

/** The start is so late that the sweeps of the shared sandbox never find these rows due. */
const START = '2099-01-01T00:00:00Z';
export const START_AT = Date.parse(START);
export const MFA_UNTIL = START_AT + MFA_WINDOW_MINUTES * MINUTE_MS;
export const PIX_UNTIL = START_AT + PIX_WINDOW_MINUTES * MINUTE_MS;

/** The chain of the tests. Each seal of a destination contains its id. */
const CHAIN_ID = 31_337;

export type TestPorts = ReturnType<typeof openPorts>;

/** The parts that tests make with the service's own makers: the stores, on the tables of the test. */
const STORES = [
  'acts',
  'cases',
  'vault',
  'lookup',
  'totpSealer',
  'totpOpener',
  'webhookSealer',
  'webhookOpener',
  'destinationSealer',
  'unitsSealer',
  'payoutSeals',
  'partners',
  'partnerSettings',
  'partnerKeys',
  'keyNews',
  'vendorKeys',
  'register',
  'rateLimiter',
  'registryQuotas',
  'registryUse',
  'idempotency',
  'kycRecords',
  'kycReviews',
  'dueReviews',
  'overrulings',
  'rescreenings',
  'staleRecords',
  'caseMarks',
  'partnerTokens',
  'evidence',
  'clients',
  'newClients',
  'personBlocks',
  'litigationHolds',
  'erasures',
  'corrections',
  'usages',
  'transactions',
  'newPurchases',
  'purchaseWaits',
  'duePurchases',
  'quotes',
  'quoteOffers',
  'promises',
  'charges',
  'openPromises',
  'openPurchases',
  'unmatchedPayments',
  'dueReturns',
  'unmatchedLists',
  'purchaseLists',
  'moneyCases',
  'coinBooks',
  'openCases',
  'daySums',
  'ledger',
  'partnerLedger',
  'livenessAttempts',
  'events',
  'lostEvents',
  'eventLog',
  'eventTargets',
  'announcements',
  'deliveries',
  'dueDeliveries',
  'failingEndpoints',
  'callbacks',
  'cancellations',
  'refundCover',
  'payerWatch',
  'archiveRegister',
  'unarchived',
  'evidenceLists',
  'actLists',
] as const;

await load(DESK_MAKERS, STORES);

/** All ports: real stores on the given tables, a clock that the test moves, and stubs for the rest. */
export function openPorts({ client, names }: Tables = memoryTables()) {
  const clock = stubClock(START);
  const stubs = {
    stage: 'sandbox',
    clock,
    random,
    log: stubLog(),
    cpfRegistry: stubRegistry(),
    companyRegistry: stubCompanies(),
    sanctions: stubLists(),
    listEffects: LIST_EFFECTS,
    apiUrl: 'https://api.test',
    explorer: { transactions: 'https://explorer.test/tx/' },
    keyLimits: { delayMinutes: 60, witnessMinutes: 1440, mostDays: 90 },
    chargeLimits: limitsWith(),
    registryQuota: 1000,
    payerProofDays: 90,
    promiseLimits: { clientBrl: 1_000_000, walletBrl: 1_000_000, partnerBrl: 1_000_000, assetBrl: 1_000_000 },
    pix: stubPix(clock.now),
    prices: stubPrices(),
    ptax: stubPtax(clock.now),
    priceHistories: stubPriceHistories(clock.now),
    priceBounds: PRICE_BOUNDS,
    identity: stubIdentity(),
    machine: stubMachine(),
    treasury: stubTreasury(),
    outflows: stubOutflows(),
    floats: stubFloats(clock.now),
    holds: stubHolds(),
    liquidity: stubLiquidity(),
    walletRisk: stubWalletRisk(),
    webhookSender: stubSender(),
    webhookQueue: stubQueue(),
    callbackQueue: stubQueue(),
    retries: { retryIn: async () => undefined },
  };
  const kms = fakeDataKeys() as unknown as KMSClient;
  const secrets = { text: async () => 'a look-up secret of tests', json: noSecret };
  const parts = assemble(DESK_MAKERS, {
    ...stubs,
    chain: { chainId: CHAIN_ID } as Chain,
    dynamo: client,
    tables: names,
    kms: async () => kms,
    secrets,
    settings: { find: String, require: String },
  });
  return { ...stubs, ...parts.pick(STORES) };
}

async function noSecret(name: string): Promise<never> {
  throw new Error(`tests have no secret ${name}`);
}

export const newId = () => reservedIds(newReservation(START_AT, random)).transaction();
/** A new end-to-end id of a Pix. It has 32 characters, as the Central Bank's ids have. */
export const newEndToEndId = () => `E${randomBytes(15).toString('hex')}x`;

const DEADLINES: Partial<Record<Status, number>> = { AWAITING_MFA: MFA_UNTIL, AWAITING_PIX: PIX_UNTIL };

/** A purchase in `status`, with a new id and a new partner. */
export function aPurchaseIn(status: Status, changes: TransactionChanges = {}): Transaction {
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
    ...factsIn(status),
    ...changes,
  });
}

/** Stores a purchase in `status` with its partner and its approved KYC record. */
export async function putPurchaseIn(ports: TestPorts, status: Status, changes: TransactionChanges = {}) {
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

/** The charge of a purchase at the provider. It is paid with the given Pix, or open without any. */
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

/** The present row of the purchase. */
export async function reread(ports: TestPorts, { id }: { id: string }): Promise<Transaction> {
  return (await ports.transactions.findTransaction(id))!;
}

/** The events of a purchase in their order. They are found by the ids that they must have. */
export async function eventsOf(ports: TestPorts, transaction: { id: string; sequence: number }) {
  const { sequence } = await reread(ports, transaction);
  const ids = Array.from({ length: sequence + 1 }, (_, index) => `${transaction.id}.${index + 1}`);
  const found = await Promise.all(ids.map((id) => ports.events.findEvent(id)));
  return found.filter((event) => event !== undefined);
}
