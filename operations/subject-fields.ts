/** The meaning of each stored field about a client. A new field of a row without a meaning does not compile. */
import type {
  ActRow,
  ArchivedRow,
  CallbackRow,
  CaseRow,
  ClientRow,
  DeliveryRow,
  EventRow,
  EvidenceRow,
  KycRecordRow,
  LitigationHoldRow,
  MoneyCaseRow,
  OpenMedsRow,
  PersonBlockRow,
  PostingRow,
  ReferenceRow,
  SettlementRow,
  TransactionRow,
  UnmatchedPaymentRow,
  UsageRow,
} from '../functions/adapters/dynamodb/rows.ts';
import type { Personal } from '../functions/domain/retention.ts';

/**
 * Kinds of rows with personal data that no search by a CPF finds, each with the reason. An export names them:
 * docs/operations.md, "A client's rights".
 */
export const UNSEARCHED = {
  partnerTokenUses: 'Keyed hashes alone, which only the partner’s own KYC token leads to.',
  idempotencyKeys: 'A repeated answer, encrypted under the partner’s request. It ends after a day.',
  promises: 'A price and an amount, which the purchase has too. They end after two days.',
  listPublications: 'A change of the public lists, which names no client.',
} as const satisfies Partial<Record<Personal, string>>;

/** The kinds of rows that a search by a CPF finds. */
export type SubjectKind = Exclude<Personal, keyof typeof UNSEARCHED>;

type Rows = {
  clients: ClientRow;
  personBlocks: PersonBlockRow;
  openMeds: OpenMedsRow;
  litigationHolds: LitigationHoldRow;
  kycRecords: KycRecordRow;
  evidence: EvidenceRow;
  cases: CaseRow;
  moneyCases: MoneyCaseRow;
  acts: ActRow;
  transactions: TransactionRow;
  usages: UsageRow;
  references: ReferenceRow;
  unmatchedPayments: UnmatchedPaymentRow;
  ledger: PostingRow;
  archive: ArchivedRow;
  events: EventRow;
  deliveries: DeliveryRow;
  callbacks: CallbackRow;
  settlements: SettlementRow;
};

type FieldOf<Row> = Row extends unknown ? keyof Row & string : never;
type FieldWords<Row, Known> = { readonly [Name in Exclude<FieldOf<Row>, Known>]: string };

/** Fields that only the indexes of a table need. They repeat other fields. */
export const INDEX_FIELDS = [
  ...(['sweep', 'due', 'lookAt', 'parkedFor', 'pendingClientId', 'live', 'open', 'statusKey'] as const),
  ...(['dayKey', 'decidedKey', 'archiveKey', 'archiveAt', 'list', 'place', 'outsideId'] as const),
  ...(['month', 'ttl', 'heldTtl'] as const),
] as const;

/** Fields that have the same meaning in each kind of row. */
const COMMON = {
  id: 'id of the record',
  partnerId: 'partner platform',
  clientId: 'keyed hash of partner and CPF',
  personId: 'keyed hash of the CPF, the same at all partners',
  transactionId: 'purchase',
  endToEndId: 'end-to-end id of the Pix',
  txHash: 'transaction on the chain',
  status: 'state',
  at: 'instant',
  day: 'day in Brasília',
  amountCentavos: 'amount in centavos of BRL',
  openedAt: 'opened at',
  createdAt: 'began at',
  issuedAt: 'issued at',
  expiresAt: 'ends at',
  nextCheckAt: 'when the service looks again',
  checks: 'how often the service has looked again',
  sequence: 'number of the latest event',
  facts: 'facts of the case',
  kind: 'kind',
  reason: 'reason',
  erasedAt: 'erased at, as far as the law allows',
  // Added by the export.
  cpf: 'CPF',
  cnpj: 'CNPJ of the company',
  identity: 'name and birth date that were searched on the lists',
  wrong: 'fields that were noted as wrong since this submission',
  metadata: 'the partner’s own notes on the purchase',
} as const;

type Explained = keyof typeof COMMON | (typeof INDEX_FIELDS)[number];
type Own = { readonly [Kind in SubjectKind]: FieldWords<Rows[Kind], Explained> };

const OWN: Own = {
  clients: {
    cpfCipher: 'CPF, encrypted',
    totpCipher: 'secret of the authenticator app, encrypted',
    enrolledAt: 'when the authenticator app was enrolled',
    lastStep: 'time step of the last accepted code',
    lastTransactionId: 'purchase of the last accepted code',
    lastRequestId: 'request of the last accepted code',
    wrongCodes: 'wrong codes in a row',
    lockedUntil: 'no code is accepted before',
    mustProve: 'face to be shown since, because the secret was replaced',
    spentReviews: 'reviews by the identity provider',
    reviewSpentAt: 'latest of these reviews',
    wallets: 'wallet addresses used',
    clearedPairs: 'list entries that a reviewer has cleared',
    confirmedPairs: 'list entries that a reviewer has confirmed',
    blockedFor: 'cases that forbid new purchases',
    medAt: 'latest payment that a bank took back',
    limits: 'limits set by an operator',
    corrections: 'data that are wrong at their source: the field, and who noted it, when and why',
    correctedAt: 'no KYC token from before is valid',
    rejectedAt: 'refused at',
    rejectedFor: 'refused for',
    raisedAt: 'risk tier raised at',
    raisedTier: 'risk tier raised to',
  },
  personBlocks: {
    state: 'state of the block',
    by: 'operator who blocked',
    until: 'end of the block',
    caseId: 'case that led to it',
    lifted: 'who lifted it, when and why',
  },
  litigationHolds: {
    state: 'state of the hold',
    by: 'operator who ordered it',
    clientIds: 'keyed hashes of each partner and the CPF',
    freed: 'who lifted it, when and why',
    keptAt: 'latest look for new records',
  },
  openMeds: { cases: 'open cases of payments that banks took back' },
  kycRecords: {
    token: 'KYC token',
    model: 'who checks the identity: 1 we, 2 the partner, 3 both',
    vendorKid: 'name of the key of the partner’s KYC vendor',
    personType: 'PF a person, PJ a company',
    riskTier: 'risk tier',
    cnpjCipher: 'CNPJ, encrypted',
    unanswered: 'sources that have not answered',
    openPairs: 'list entries that wait for a reviewer',
    identityCipher: 'name and birth date, encrypted',
    screenedWith: 'version of the lists of the last search',
    decidedAt: 'last decided at',
    keyedBiometric: 'keyed hash of the biometric hash',
    keyedCollected: 'keyed hashes of the data that the partner collected',
  },
  evidence: {
    subject: 'subject of the decision',
    decidedBy: 'who or what decided',
    inputs: 'inputs',
    findings: 'findings',
    decision: 'decision',
  },
  cases: {
    pair: 'hash of client and list entry',
    token: 'KYC token',
    candidate: 'entry of the list that is alike',
    index: 'version of the lists',
    opened: 'state of the submission then',
    decidedBy: 'reviewer',
    decidedAt: 'decided at',
    assigned: 'reviewer who shall decide',
    undone: 'wrong confirmation that was taken back',
    entryGone: 'when the entry was no longer on its list',
    closing: 'who closed the case, because the entry had left its list',
  },
  moneyCases: {
    deadline: 'to be decided by',
    closed: 'who closed it, when, how and why',
    block: 'whether it blocks the client',
    unblocked: 'who lifted the block, when and why',
  },
  acts: {
    act: 'id of the act',
    subject: 'subject of the act',
    who: 'operator',
    name: 'command',
    will: 'what it does',
    before: 'state before',
    after: 'state after',
    call: 'call to be approved',
    error: 'failure',
  },
  transactions: {
    kycToken: 'KYC token',
    externalId: 'the partner’s reference',
    metadataCipher: 'the partner’s own notes, encrypted',
    returnUrl: 'page to which the client returned',
    model: 'who checks the identity: 1 we, 2 the partner, 3 both',
    riskTier: 'risk tier',
    asset: 'stablecoin',
    walletAddress: 'wallet that receives',
    challenge: 'challenge that the client answered',
    quote: 'price, fee and units',
    rateLock: 'quote that fixed the price',
    mfaAttempts: 'codes tried',
    liveness: 'check of the face',
    claim: 'what counts for the limits',
    pix: 'Pix charge',
    sealedDestination: 'seal of the wallet',
    sealedUnits: 'seal of the units',
    payment: 'Pix received',
    formerTxHashes: 'earlier transactions on the chain',
    failure: 'why it failed',
    refund: 'refund',
    disposition: 'settled or refunded',
    wait: 'token of the waiting execution',
    obstacle: 'last failure before the payment',
    executions: 'restarts of the execution',
    history: 'each state with its instant',
  },
  usages: {
    centavos: 'sum in centavos of BRL',
    charges: 'open charges',
    until: 'end of the newest charge',
    newestId: 'purchase of the newest charge',
    calls: 'look-ups',
  },
  references: { usedBy: 'purchase of the reference' },
  unmatchedPayments: {
    paidAt: 'paid at',
    foundAt: 'found at',
    txid: 'txid of the Pix',
    refund: 'its return',
    faults: 'refusals by the provider',
  },
  ledger: { entries: 'entries in double entry', late: 'recorded late' },
  archive: {
    versionId: 'version of the object',
    sha256: 'SHA-256 of the object',
    bytes: 'size in bytes',
  },
  events: { type: 'event', data: 'what the partner was told', endpointIds: 'endpoints of the partner' },
  deliveries: {
    eventId: 'event',
    endpointId: 'endpoint of the partner',
    attempts: 'attempts',
    putOffs: 'postponements',
    nextAttemptAt: 'next attempt at',
    lastStatusCode: 'last HTTP status',
    heldAt: 'held at',
    parkedAt: 'given up at',
    tried: 'attempts, with the beginning of the answers',
    replayedBy: 'request to deliver it again',
  },
  callbacks: { hints: 'ids that the provider’s call named' },
  settlements: {
    asset: 'stablecoin',
    units: 'units',
    to: 'wallet that receives',
    sealedDestination: 'seal of the wallet',
    sealedUnits: 'seal of the units',
    countedIn: 'slice of time of the payout limit',
    outage: 'providers silent since, and last found so',
    tries: 'failed tries',
    attempts: 'signed transactions',
    casts: 'sends of the latest one',
    cancel: 'request to cancel',
    state: 'state of the transfer',
    wallet: 'wallet that sends',
    nonce: 'its nonce',
    lastCastAt: 'last sent at',
    hint: 'answer of the nodes',
    blockNumber: 'block',
    confirmedAt: 'confirmed at',
  },
};

/** The fields of a kind of rows, each with its meaning, in the order in which an export shows them. */
export const fieldsOfKind = (kind: SubjectKind): Readonly<Record<string, string>> => ({
  ...COMMON,
  ...OWN[kind],
});

export const SUBJECT_KINDS = Object.keys(OWN) as SubjectKind[];
