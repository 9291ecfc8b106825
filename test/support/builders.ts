import type { Client } from '../../functions/domain/kyc/client.ts';
import type { KycRecord } from '../../functions/domain/kyc/kyc.ts';
import type { PartnersKey } from '../../functions/domain/partners/api-key.ts';
import type { Partner } from '../../functions/domain/partners/partner.ts';
import type { Evidence } from '../../functions/domain/purchase/evidence.ts';
import type { LockedQuote } from '../../functions/domain/purchase/locked-quote.ts';
import type { Status } from '../../functions/domain/purchase/status.ts';
import type { Refund, Transaction } from '../../functions/domain/purchase/transaction.ts';
import { openTransaction } from '../../functions/domain/purchase/transitions.ts';

export const NOW = Date.UTC(2026, 10, 20, 12, 0, 0);
export const MINUTE_MS = 60_000;
export const AT = { now: NOW, minuteMs: MINUTE_MS };
export const WALLET = '0x8ba1f109551bD432803012645Ac136ddd64DBA72';

/** Changes of a purchase. A test may make a purchase that the service would not. */
export type TransactionChanges = { [Name in keyof Transaction]?: Transaction[Name] };

/** A purchase of USDC for 250 BRL in AWAITING_MFA, with the test's changes. */
export function aTransaction(changes: TransactionChanges = {}): Transaction {
  const opened = openTransaction(
    {
      id: '01JD4G0000000000000000000A',
      partnerId: 'demo',
      clientId: 'client-hash',
      personId: 'person-hash',
      kycToken: 'kyc_TOKEN',
      model: 1,
      riskTier: 'STANDARD',
      asset: 'USDC',
      amountCentavos: 250_00,
      walletAddress: WALLET,
      challenge: { type: 'MFA_TOTP' },
      quote: { rate: '5.48643100', feeCentavos: 247, assetUnits: 45_566_968n },
    },
    AT,
  );
  return { ...opened, ...changes } as Transaction;
}

/** The facts that a purchase needs in this status besides its payment. */
export const factsIn = (status: Status): TransactionChanges => ({
  ...(status === 'COMPLETED' && { txHash: `0x${'ab'.repeat(32)}` }),
  ...(status === 'FAILED' && { failure: { reason: 'SETTLEMENT_FAILED' } }),
});

/** The facts of a move to AWAITING_PIX, about which the test has no opinion. */
export const issued = ({ quote }: Pick<Transaction, 'quote'> = aTransaction()) => ({
  pix: { payload: 'BRCODE', expiresAt: NOW },
  quote,
  sealedUnits: 'sealed',
});

/** The facts of a move to FAILED. Without a refund, the provider has returned everything. */
export const failing = (refund?: Refund) => ({
  failure: { reason: 'SETTLEMENT_FAILED' as const },
  disposition: 'REFUND' as const,
  ...(refund && { refund }),
});

/** A quote of USDC for 250 BRL, with the test's changes. */
export function aLockedQuote(changes: Partial<LockedQuote> = {}): LockedQuote {
  const { partnerId, asset, amountCentavos, quote } = aTransaction();
  const times = { createdAt: NOW, expiresAt: NOW + 10 * MINUTE_MS };
  return { id: 'quote_X', partnerId, asset, amountCentavos, quote, ...times, ...changes };
}

/** Changes of a KYC record. A test may make a record that the service would not. */
export type KycRecordChanges = { [Name in keyof KycRecord]?: KycRecord[Name] };

export function aKycRecord(changes: KycRecordChanges = {}): KycRecord {
  return {
    token: 'kyc_TOKEN',
    partnerId: 'demo',
    clientId: 'client-hash',
    personId: 'person-hash',
    model: 1,
    personType: 'PF',
    status: 'APPROVED',
    riskTier: 'STANDARD',
    issuedAt: NOW,
    expiresAt: NOW + 24 * 60 * MINUTE_MS,
    ...(changes.status === 'PENDING' && { checks: 0, unanswered: [], openPairs: [] }),
    ...changes,
  } as KycRecord;
}

export function aClient(changes: Partial<Client> = {}): Client {
  return {
    id: 'client-hash',
    partnerId: 'demo',
    cpfCipher: 'cipher',
    totpCipher: 'cipher',
    wrongCodes: 0,
    createdAt: 0,
    ...changes,
  } as Client;
}

export function aPartner(changes: Partial<Partner> = {}): Partner {
  return {
    id: 'demo',
    name: 'Test',
    status: 'ACTIVE',
    spreadBasisPoints: 100,
    webhookEndpoints: [],
    keyIds: ['key1'],
    createdAt: NOW,
    version: 1,
    ...changes,
  };
}

type EvidenceChanges = Partial<Pick<Evidence, 'subject' | 'clientId' | 'at' | 'decidedBy'>> &
  Partial<Record<'inputs' | 'findings' | 'decision', object>>;

/** Evidence for a test that only stores and finds it. It is empty unless the test fills it. */
export function anEvidence<Kind extends Evidence['kind']>(kind: Kind, changes: EvidenceChanges = {}) {
  const empty = {
    subject: 'subject',
    kind,
    at: NOW,
    decidedBy: 'test',
    inputs: {},
    findings: {},
    decision: {},
  };
  return { ...empty, ...changes } as unknown as Extract<Evidence, { kind: Kind }>;
}

/** A key that `key1` has made, and of which the endpoint `one` must hear. */
export function aMadeKey(changes: Partial<PartnersKey> = {}): PartnersKey {
  return {
    partnerId: 'demo',
    keyId: 'made',
    status: 'ACTIVE',
    createdAt: NOW,
    made: {
      sha256: 'bb',
      scopes: ['read'],
      expiresAt: NOW + 24 * 60 * MINUTE_MS,
      maker: 'key1',
      witnesses: ['one'],
      waitMs: 60 * MINUTE_MS,
    },
    heard: {},
    ...changes,
  };
}
