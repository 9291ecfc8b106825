import { randomBytes } from 'node:crypto';
import { makeClient as dynamoClient } from '../functions/adapters/aws/clients/dynamodb.ts';
import { makeClient as kmsClient } from '../functions/adapters/aws/clients/kms.ts';
import { makeClient as secretsClient } from '../functions/adapters/aws/clients/secrets-manager.ts';
import { makeClient as sfnClient } from '../functions/adapters/aws/clients/sfn.ts';
import { secretLoader } from '../functions/adapters/aws/secrets.ts';
import { vault } from '../functions/adapters/aws/vault.ts';
import type { Chain } from '../functions/adapters/chain/chain.ts';
import { kmsSigner } from '../functions/adapters/chain/kms-signer.ts';
import { outflows } from '../functions/adapters/chain/outflows.ts';
import { jsonRpc } from '../functions/adapters/chain/rpc.ts';
import { cancellations } from '../functions/adapters/dynamodb/cancellations.ts';
import { reviewCaseStore } from '../functions/adapters/dynamodb/cases.ts';
import { clientStore } from '../functions/adapters/dynamodb/clients.ts';
import { type FloatSwitch, floatStore } from '../functions/adapters/dynamodb/floats.ts';
import { holdStore } from '../functions/adapters/dynamodb/holds.ts';
import { kycRecordStore, kycReviewStore } from '../functions/adapters/dynamodb/kyc-records.ts';
import { ledgerStore } from '../functions/adapters/dynamodb/ledger.ts';
import { moneyCaseStore } from '../functions/adapters/dynamodb/money-cases.ts';
import { openPurchases } from '../functions/adapters/dynamodb/open-purchases.ts';
import {
  type PartnerRegister,
  partnerRegister,
  partnerStore,
} from '../functions/adapters/dynamodb/partners.ts';
import { type PriceReset, priceHistoryStore } from '../functions/adapters/dynamodb/price-histories.ts';
import { deliveryStore, eventStore, evidenceStore } from '../functions/adapters/dynamodb/records.ts';
import { settlementBook } from '../functions/adapters/dynamodb/settlement-book.ts';
import { unmatchedPaymentStore } from '../functions/adapters/dynamodb/unmatched-payments.ts';
import { webhookSender } from '../functions/adapters/webhook-sender.ts';
import type { MoneyCases, MoneyCasesDesk } from '../functions/domain/books/money-case-ports.ts';
import type { KycRecords } from '../functions/domain/kyc/kyc-ports.ts';
import type { Partner } from '../functions/domain/partners/partner.ts';
import type { Ports } from '../functions/domain/ports.ts';
import type { ReviewCases } from '../functions/domain/screening/review-case-ports.ts';
import type { Holds, HoldsDesk } from '../functions/domain/treasury/hold-ports.ts';
import type { Floats } from '../functions/domain/treasury/liquidity-ports.ts';
import type { PriceHistories } from '../functions/domain/treasury/price-ports.ts';
import { outputOf, type Target } from './outputs.ts';
import { type Dossier, dossier } from './stores/dossier.ts';
import { type ExecutionHistories, executionHistories } from './stores/execution-history.ts';
import { type ReplayBook, replayBook } from './stores/replay-book.ts';
import { type WalletRegister, walletRegister } from './stores/wallet-register.ts';
import { refused } from './words.ts';

/** What a command works with: the service's own stores, opened with the operator's credentials. */
export type Desk = Pick<
  Ports,
  | 'stage'
  | 'clock'
  | 'random'
  | 'partners'
  | 'clients'
  | 'deliveries'
  | 'events'
  | 'evidence'
  | 'vault'
  | 'webhookSender'
  | 'unmatchedPayments'
  | 'ledger'
  | 'cancellations'
  | 'outflows'
  | 'openPurchases'
> & {
  register: PartnerRegister;
  dossier: Dossier;
  executions: ExecutionHistories;
  floats: Pick<Floats, 'findFloat'> & FloatSwitch;
  priceHistories: PriceHistories & PriceReset;
  wallets: WalletRegister;
  holds: Holds & HoldsDesk;
  replays: ReplayBook;
  cases: ReviewCases;
  moneyCases: MoneyCases & MoneyCasesDesk;
  kycRecords: Pick<KycRecords, 'findRecord'>;
};

const NODE_TIMEOUT_MS = 4_000;

export function openDesk(target: Target): Desk {
  const { stage, region, endpoint } = target;
  const credentials = { accessKeyId: 'operator', secretAccessKey: 'operator' };
  const options = { region, ...(endpoint && { endpoint, credentials }) };
  const dynamo = dynamoClient(options);
  const clock = { now: () => Date.now(), minuteMs: 60_000 };
  const random = { bytes: (length: number) => randomBytes(length) };
  const secrets = secretLoader(async () => secretsClient(options), clock);
  const table = (key: string) => outputOf(target, key);
  const onChain = () => {
    const load = async () => kmsClient(options);
    const rpcUrls = async () =>
      (await secrets.json<{ rpcUrls: string[] }>(outputOf(target, 'ChainSecret'))).rpcUrls;
    const chain = JSON.parse(outputOf(target, 'Chain')) as Chain;
    const { settlements, transactions } = dossierTables(table);
    const books = { client: dynamo, settlementsTable: settlements, transactionsTable: transactions };
    return {
      chain,
      rpc: jsonRpc(rpcUrls, { timeoutMs: NODE_TIMEOUT_MS, fetch }),
      signers: outputOf(target, 'SigningKeyIds')
        .split(',')
        .map((keyId) => kmsSigner(load, keyId)),
      book: settlementBook({ ...books, chainId: chain.chainId, random }),
    };
  };
  return {
    stage,
    clock,
    random,
    partners: partnerStore(dynamo, table('PartnersTable'), random),
    register: partnerRegister(dynamo, table('PartnersTable'), random),
    clients: clientStore(dynamo, table('ClientsTable'), random),
    deliveries: deliveryStore(dynamo, table('DeliveriesTable')),
    events: eventStore(dynamo, table('EventsTable')),
    evidence: evidenceStore(dynamo, table('EvidenceTable')),
    // Made when asked for: a stack that was deployed before they were told serves the other commands.
    get dossier() {
      return dossier(dynamo, dossierTables(table));
    },
    get cases() {
      const tables = dossierTables(table);
      return reviewCaseStore(dynamo, tables, { random, kycReviews: kycReviewStore(dynamo, tables, random) });
    },
    get moneyCases() {
      return moneyCaseStore(dynamo, dossierTables(table), random);
    },
    get unmatchedPayments() {
      return unmatchedPaymentStore(dynamo, dossierTables(table), random);
    },
    get ledger() {
      return ledgerStore(dynamo, table('LedgerTable'));
    },
    get cancellations() {
      return cancellations(dynamo, table('SettlementsTable'), random);
    },
    get wallets() {
      const { settlements } = dossierTables(table);
      return walletRegister({ ...onChain(), random, client: dynamo, table: settlements });
    },
    get outflows() {
      return outflows(onChain());
    },
    get replays() {
      return replayBook({ ...onChain(), random, client: dynamo, tables: dossierTables(table) });
    },
    get holds() {
      return holdStore(dynamo, { ...dossierTables(table), witness: table('WitnessTable') }, random);
    },
    get openPurchases() {
      return openPurchases(dynamo, table('TransactionsTable'));
    },
    get kycRecords() {
      return kycRecordStore(dynamo, dossierTables(table), random);
    },
    get floats() {
      return floatStore(dynamo, table('FloatsTable'));
    },
    get priceHistories() {
      return priceHistoryStore(dynamo, table('FloatsTable'));
    },
    get executions() {
      return executionHistories(sfnClient(options), table('StateMachineArn'));
    },
    vault: vault({
      load: async () => kmsClient(options),
      dataKeyId: outputOf(target, 'DataKeyId'),
      lookupSecret: () => secrets.text(outputOf(target, 'LookupSecret')),
      random,
      clock,
    }),
    // Only a sandbox on this machine has an address of its own.
    webhookSender: webhookSender({ allowLoopback: endpoint !== undefined }, { clock }),
  };
}

function dossierTables(table: (key: string) => string) {
  return {
    clients: table('ClientsTable'),
    kycRecords: table('KycRecordsTable'),
    transactions: table('TransactionsTable'),
    settlements: table('SettlementsTable'),
    events: table('EventsTable'),
    deliveries: table('DeliveriesTable'),
    evidence: table('EvidenceTable'),
    cases: table('CasesTable'),
    moneyCases: table('MoneyCasesTable'),
    callbacks: table('CallbacksTable'),
    strays: table('StraysTable'),
    ledger: table('LedgerTable'),
  };
}

export async function requirePartner({ partners }: Pick<Desk, 'partners'>, id: string): Promise<Partner> {
  return (await partners.findPartner(id)) ?? refused(`There is no partner ${id}.`);
}
