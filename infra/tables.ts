import {
  AttributeType,
  BillingMode,
  ProjectionType,
  StreamViewType,
  Table,
  TableEncryption,
  type TableProps,
} from 'aws-cdk-lib/aws-dynamodb';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { lifeOf } from './lifecycle.ts';
import { acknowledge } from './nag.ts';
import type { Stage } from './stage.ts';

type TablesProps = { stage: Stage; key: IKey };

/** The sparse index of the rows that somebody must look at: a constant key, and when to look. */
export const DUE_INDEX = 'due';
/** The sparse index of the KYC records that wait for news of their client. */
export const CLIENT_INDEX = 'client';
/** The sparse index of the KYC records that are screened again when the lists change, by the index that saw them last. */
export const SCREENED_INDEX = 'screened';
/** Cases by their status. */
export const STATUS_INDEX = 'byStatus';
/** The sparse index of the cases of money that block their client, or did. */
export const BLOCK_INDEX = 'byBlock';
/** The sparse index of the deliveries that nobody tries any more, by partner. */
export const PARKED_INDEX = 'parked';
/** The sparse index of the stray Pix that have not gone back. */
export const OPEN_INDEX = 'open';
/** The stray Pix, or the postings, of one purchase, by time. */
export const OF_TRANSACTION_INDEX = 'ofTransaction';
/** The postings of one day, by time: whole, for what is posted never changes. */
export const DAY_INDEX = 'day';
/** Everything of one client, by time. */
export const OF_CLIENT_INDEX = 'ofClient';
/** Evidence of one subject, and evidence that rests on one client's data, by time. */
export const EVIDENCE_INDEXES = ['subject', 'client'] as const;

/** Rows end by themselves: `functions/domain/retention.ts` says which, and when. */
const MORTAL = { timeToLiveAttribute: 'ttl' } as const;

/** docs/decisions.md, "Tables that were restored". */
const WITHOUT_BACKUPS = { pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: false } } as const;

/** What the service remembers. Every table has the key `id` and is paid by use. */
export class Tables extends Construct {
  readonly partners: Table;
  /** Rate counts and idempotency keys: what is soon forgotten. */
  readonly requests: Table;
  readonly kycRecords: Table;
  readonly evidence: Table;
  readonly clients: Table;
  readonly transactions: Table;
  readonly events: Table;
  readonly deliveries: Table;
  readonly callbacks: Table;
  readonly settlements: Table;
  /** Pix that are no purchase's payment, and how far reconciliation has read. */
  readonly strays: Table;
  /** The books: what is received, settled and sent back. */
  readonly ledger: Table;
  /** What the treasury could still pay, one row per asset. */
  readonly floats: Table;
  /** What a person must decide about clients who resemble somebody listed. */
  readonly cases: Table;
  /** What a person must decide about money. */
  readonly moneyCases: Table;
  /** How far the others have come in time. Without backups, so that it never goes back with them. */
  readonly witness: Table;

  constructor(scope: Construct, id: string, props: TablesProps) {
    super(scope, id);
    this.partners = tableOf(this, 'Partners', props);
    this.requests = tableOf(this, 'Requests', props, MORTAL);
    this.kycRecords = tableOf(this, 'KycRecords', props, MORTAL);
    this.evidence = tableOf(this, 'Evidence', props, MORTAL);
    this.clients = tableOf(this, 'Clients', props, MORTAL);
    this.transactions = tableOf(this, 'Transactions', props, MORTAL);
    this.events = tableOf(this, 'Events', props, { ...MORTAL, stream: StreamViewType.NEW_IMAGE });
    this.deliveries = tableOf(this, 'Deliveries', props, MORTAL);
    this.callbacks = tableOf(this, 'Callbacks', props, MORTAL);
    this.settlements = tableOf(this, 'Settlements', props);
    this.floats = tableOf(this, 'Floats', props);
    this.cases = tableOf(this, 'Cases', props, MORTAL);
    this.moneyCases = tableOf(this, 'MoneyCases', props, MORTAL);
    this.strays = tableOf(this, 'Strays', props, MORTAL);
    this.ledger = tableOf(this, 'Ledger', props, MORTAL);
    this.witness = tableOf(this, 'Witness', props, WITHOUT_BACKUPS);
    if (props.stage === 'production') acknowledge(this.witness, 'DDB3', 'It must not go back in time.');
    this.ledger.addGlobalSecondaryIndex({
      indexName: DAY_INDEX,
      partitionKey: { name: 'day', type: AttributeType.STRING },
      sortKey: { name: 'at', type: AttributeType.NUMBER },
    });
    addKeysIndex(this.ledger, OF_TRANSACTION_INDEX, { key: 'transactionId', instant: 'at' });
    addDueIndex(this.transactions, 'sweep', 'nextCheckAt');
    addDueIndex(this.clients, 'sweep', 'nextCheckAt');
    addDueIndex(this.settlements, 'sweep', 'nextCheckAt');
    addDueIndex(this.strays, 'sweep', 'nextCheckAt');
    addKeysIndex(this.strays, OPEN_INDEX, { key: 'open', instant: 'foundAt' });
    addKeysIndex(this.strays, OF_TRANSACTION_INDEX, { key: 'transactionId', instant: 'foundAt' });
    addDueIndex(this.kycRecords, 'sweep', 'nextCheckAt');
    this.kycRecords.addGlobalSecondaryIndex({
      indexName: CLIENT_INDEX,
      partitionKey: { name: 'pendingClientId', type: AttributeType.STRING },
      sortKey: { name: 'issuedAt', type: AttributeType.NUMBER },
      projectionType: ProjectionType.KEYS_ONLY,
    });
    addDueIndex(this.kycRecords, 'live', 'screenedWith', AttributeType.STRING, SCREENED_INDEX);
    addDueIndex(this.events, 'sweep', 'at');
    // The partner and the instant: what is due is shared between partners.
    addDueIndex(this.deliveries, 'due', 'lookAt', AttributeType.STRING);
    this.deliveries.addGlobalSecondaryIndex({
      indexName: PARKED_INDEX,
      partitionKey: { name: 'parkedFor', type: AttributeType.STRING },
      sortKey: { name: 'parkedAt', type: AttributeType.NUMBER },
    });
    addKeysIndex(this.transactions, OF_CLIENT_INDEX, { key: 'clientId', instant: 'createdAt' });
    addKeysIndex(this.kycRecords, OF_CLIENT_INDEX, { key: 'clientId', instant: 'issuedAt' });
    addKeysIndex(this.moneyCases, STATUS_INDEX, { key: 'status', instant: 'openedAt' });
    addKeysIndex(this.moneyCases, BLOCK_INDEX, { key: 'block', instant: 'openedAt' });
    addKeysIndex(this.moneyCases, OF_CLIENT_INDEX, { key: 'clientId', instant: 'openedAt' });
    addKeysIndex(this.cases, STATUS_INDEX, { key: 'status', instant: 'openedAt' });
    addKeysIndex(this.cases, OF_CLIENT_INDEX, { key: 'clientId', instant: 'openedAt' });
    const [ofSubject, ofClient] = EVIDENCE_INDEXES;
    addKeysIndex(this.evidence, ofSubject, { key: 'subject', instant: 'at' });
    addKeysIndex(this.evidence, ofClient, { key: 'clientId', instant: 'at' });
  }
}

/** One table; what it keeps in production outlives its stack. */
export function tableOf(
  scope: Construct,
  id: string,
  { stage, key }: TablesProps,
  extra: Partial<TableProps> = {},
): Table {
  const isProduction = stage === 'production';
  const table = new Table(scope, id, {
    partitionKey: { name: 'id', type: AttributeType.STRING },
    billingMode: BillingMode.PAY_PER_REQUEST,
    encryption: TableEncryption.CUSTOMER_MANAGED,
    encryptionKey: key,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: isProduction },
    deletionProtection: isProduction,
    removalPolicy: lifeOf(stage),
    ...extra,
  });
  if (!isProduction) acknowledge(table, 'DDB3', 'What a sandbox remembers is made up.');
  return table;
}

function addDueIndex(
  table: Table,
  constant: string,
  instant: string,
  type = AttributeType.NUMBER,
  indexName = DUE_INDEX,
): void {
  table.addGlobalSecondaryIndex({
    indexName,
    partitionKey: { name: constant, type: AttributeType.STRING },
    sortKey: { name: instant, type },
    projectionType: ProjectionType.KEYS_ONLY,
  });
}

/** Keys alone: rows are many and read seldom, so each is read by its id instead of being stored twice. */
function addKeysIndex(
  table: Table,
  indexName: string,
  { key, instant }: { key: string; instant: string },
): void {
  table.addGlobalSecondaryIndex({
    indexName,
    partitionKey: { name: key, type: AttributeType.STRING },
    sortKey: { name: instant, type: AttributeType.NUMBER },
    projectionType: ProjectionType.KEYS_ONLY,
  });
}
