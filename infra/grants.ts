import type { Backend, Granter } from './backend.ts';
import {
  changes,
  dueRows,
  type Grant,
  queue,
  rows,
  SIMULATOR_ACTIONS,
  secret,
  to,
  together,
} from './grant.ts';
import { KYC_GRANTS, OVERRULING } from './kyc-grants.ts';
import { acknowledgeWildcard } from './nag.ts';
import { SEARCH_NODE_OPTIONS } from './node-options.ts';
import type { AnyNeed } from './sources.ts';
import { DAY_INDEX, STATUS_INDEX, type Tables } from './tables.ts';
import { chain, holdsRead, MARKED, TREASURY_GRANTS } from './treasury-grants.ts';

/** Comes with the code, or with what every function is told. */
const nothing: Granter = () => ({ variables: {} });

const GRANTS: Partial<Record<AnyNeed, Granter>> = {
  clock: nothing,
  random: nothing,
  log: nothing,
  stage: nothing,
  // An update may make a row where there is none. None of these makes a key: nobody may write a key's digest.
  partners: ({ tables }) =>
    together(
      rows('PARTNERS_TABLE', tables.partners, ['GetItem', 'BatchGetItem']),
      changes('PARTNERS_TABLE', tables.partners, ['UpdateItem', 'ConditionCheckItem'], PARTNER_CHANGES),
    ),
  'partners:read': ({ tables }) => rows('PARTNERS_TABLE', tables.partners, ['GetItem', 'BatchGetItem']),
  rateLimiter: ({ tables }) => rows('REQUESTS_TABLE', tables.requests, ['UpdateItem']),
  idempotency: ({ tables }) => rows('REQUESTS_TABLE', tables.requests, ['GetItem', 'PutItem', 'UpdateItem']),
  vault: ({ keys, secrets }) =>
    together(
      {
        variables: { DATA_KEY_ID: keys.data.keyId },
        allow: to(['kms:GenerateDataKey', 'kms:Decrypt'], keys.data.keyArn),
      },
      secret('LOOKUP_SECRET', secrets.lookup),
    ),
  ...KYC_GRANTS,
  partnerTokens: nothing,
  // Nobody may delete evidence. PutItem could overwrite it, and no policy can tell a new row from an old one: that
  // nothing is overwritten is the condition `attribute_not_exists` of `evidenceStore` alone.
  evidence: ({ tables }) => rows('EVIDENCE_TABLE', tables.evidence, ['PutItem']),
  // All but what reviewers decide: no function clears a client, or takes back that one was confirmed.
  clients: ({ tables }) =>
    together(
      rows('CLIENTS_TABLE', tables.clients, ['GetItem']),
      changes('CLIENTS_TABLE', tables.clients, ['PutItem', 'UpdateItem'], CLIENT_CHANGES),
    ),
  'clients:read': ({ tables }) => rows('CLIENTS_TABLE', tables.clients, ['GetItem']),
  chargeLimits: ({ settings }) => ({ variables: { CHARGE_LIMITS: JSON.stringify(settings.chargeLimits) } }),
  // A change is written together with its events and postings, a refund on the condition that no nonce is owned.
  transactions: ({ tables }) =>
    together(
      rows('TRANSACTIONS_TABLE', tables.transactions, ['GetItem', 'PutItem', 'UpdateItem']),
      dueRows(tables.transactions),
      rows('EVENTS_TABLE', tables.events, ['PutItem']),
      posted(tables),
      rows('SETTLEMENTS_TABLE', tables.settlements, ['ConditionCheckItem']),
    ),
  // The end of a return is written together with its event, under the purchase's next sequence.
  strays: ({ tables }) =>
    together(
      rows('STRAYS_TABLE', tables.strays, ['GetItem', 'PutItem', 'UpdateItem']),
      dueRows(tables.strays),
      changes('TRANSACTIONS_TABLE', tables.transactions, ['UpdateItem'], ['sequence', 'status', 'ttl']),
      rows('EVENTS_TABLE', tables.events, ['PutItem']),
      posted(tables),
    ),
  'holds:read': holdsRead,
  // The marks and nothing else: no function holds money, or says that it is held no more.
  holds: (backend) =>
    together(
      holdsRead(backend),
      ...MARKED.map(([variable, table]) => changes(variable, backend.tables[table], ['UpdateItem'], ['at'])),
    ),
  // A case is opened together with the mark on the client. No function closes one, or says who has lifted a block.
  moneyCases: ({ tables }) =>
    together(
      rows('MONEY_CASES_TABLE', tables.moneyCases, ['GetItem']),
      changes('MONEY_CASES_TABLE', tables.moneyCases, ['UpdateItem'], MONEY_CASE_OPENING),
      { variables: {}, allow: to(['dynamodb:Query'], `${tables.moneyCases.tableArn}/index/${STATUS_INDEX}`) },
      // A policy tells no adding from a taking away: that a mark stays until a person lifts it is `moneyCaseStore`'s.
      changes('CLIENTS_TABLE', tables.clients, ['UpdateItem'], ['blockedFor']),
      posted(tables),
    ),
  'ledger:read': ({ tables }) =>
    together(rows('LEDGER_TABLE', tables.ledger, ['GetItem']), {
      variables: {},
      allow: to(['dynamodb:Query'], `${tables.ledger.tableArn}/index/${DAY_INDEX}`),
    }),
  // Without the index: what is due is listed by the sweeper, which writes as well.
  'transactions:read': ({ tables }) => rows('TRANSACTIONS_TABLE', tables.transactions, ['GetItem']),
  // The field of the link, on condition of the status: whoever reads a purchase can move none.
  livenessAttempts: ({ tables }) =>
    changes('TRANSACTIONS_TABLE', tables.transactions, ['UpdateItem'], ['liveness', 'status']),
  events: ({ tables }) =>
    together(rows('EVENTS_TABLE', tables.events, ['GetItem', 'UpdateItem']), dueRows(tables.events)),
  'events:read': ({ tables }) =>
    together(rows('EVENTS_TABLE', tables.events, ['GetItem']), dueRows(tables.events)),
  deliveries: ({ tables }) =>
    together(
      rows('DELIVERIES_TABLE', tables.deliveries, ['GetItem', 'PutItem', 'UpdateItem']),
      dueRows(tables.deliveries),
    ),
  'deliveries:read': ({ tables }) =>
    together(rows('DELIVERIES_TABLE', tables.deliveries, ['GetItem']), dueRows(tables.deliveries)),
  callbacks: ({ tables }) => rows('CALLBACKS_TABLE', tables.callbacks, ['PutItem']),
  machine: ({ machine }) => ({
    variables: { STATE_MACHINE_ARN: machine.machine },
    allow: (role) => {
      to(['states:StartExecution', 'states:SendTaskSuccess'], machine.machine)(role);
      to(['states:DescribeExecution'], machine.executions)(role);
      acknowledgeWildcard(role, machine.executions, 'Executions are named after transactions.');
    },
  }),
  webhookQueue: ({ queues }) => queue('WEBHOOK_QUEUE_URL', queues.webhook),
  callbackQueue: ({ queues }) => queue('CALLBACK_QUEUE_URL', queues.callback),
  pix: ({ secrets, callbackUrl }) =>
    together(secret('PIX_SECRET', secrets.pix), { variables: { CALLBACK_URL: callbackUrl } }),
  identity: ({ secrets }) => secret('IDENTITY_SECRET', secrets.identity),
  cpfRegistry: ({ secrets }) => secret('CPF_REGISTRY_SECRET', secrets.cpfRegistry),
  companyRegistry: ({ secrets }) => secret('COMPANY_REGISTRY_SECRET', secrets.companyRegistry),
  sanctions: ({ lists }) => ({
    variables: { LISTS_BUCKET: lists.bucketName, NODE_OPTIONS: SEARCH_NODE_OPTIONS },
    allow: (role) => {
      const files = lists.arnForObjects('lists/*');
      to(['s3:GetObject'], files)(role);
      // Without it a list that is not there looks like one that may not be read.
      to(['s3:ListBucket'], lists.bucketArn)(role);
      acknowledgeWildcard(role, files, 'The lists are the objects of one folder.');
    },
  }),
  listEffects: ({ settings }) => ({ variables: { LIST_EFFECTS: JSON.stringify(settings.listEffects) } }),
  listedWallets: (backend) => publication(backend),
  publishers: ({ listSources }) => ({ variables: { LIST_SOURCES: JSON.stringify(listSources) } }),
  // Nobody may delete lists, and what replaces an object leaves the former as a version of it.
  listArchive: ({ lists }) => ({
    variables: { LISTS_BUCKET: lists.bucketName },
    allow: (role) => {
      const files = lists.arnForObjects('lists/*');
      to(['s3:GetObject', 's3:PutObject'], files)(role);
      to(['s3:ListBucket'], lists.bucketArn)(role);
      acknowledgeWildcard(role, files, 'The lists are the objects of one folder.');
    },
  }),
  walletRisk: (backend) =>
    together(
      publication(backend),
      chain(backend),
      backend.secrets.walletScreening
        ? secret('WALLET_SCREENING_SECRET', backend.secrets.walletScreening)
        : { variables: {} },
    ),
  prices: ({ priceUrl }) => ({ variables: { PRICE_URL: priceUrl } }),
  'priceHistories:read': ({ tables }) => rows('FLOATS_TABLE', tables.floats, ['GetItem']),
  priceHistories: ({ tables }) =>
    together(
      rows('FLOATS_TABLE', tables.floats, ['GetItem']),
      changes('FLOATS_TABLE', tables.floats, ['UpdateItem'], ['spans', 'distrust', 'revision']),
    ),
  priceBounds: ({ settings }) => ({ variables: { PRICE_BOUNDS: JSON.stringify(settings.priceBounds) } }),
  ...TREASURY_GRANTS,
  'floats:read': ({ tables }) => rows('FLOATS_TABLE', tables.floats, ['GetItem']),
  // All but the pause, which is the operators'.
  floats: ({ tables }) =>
    together(
      rows('FLOATS_TABLE', tables.floats, ['GetItem']),
      changes('FLOATS_TABLE', tables.floats, ['UpdateItem'], [...FLOAT_READING, 'lowSince']),
    ),
  liquidity: ({ tables }) => changes('FLOATS_TABLE', tables.floats, ['UpdateItem'], FLOAT_RESERVATION),
  floatLimits: ({ settings }) => ({ variables: { FLOAT_LIMITS: JSON.stringify(settings.floatLimits) } }),
  openPurchases: ({ tables }) =>
    together(rows('TRANSACTIONS_TABLE', tables.transactions, ['BatchGetItem']), dueRows(tables.transactions)),
  // A wallet's address follows from its public key; nothing is signed. The books tell who else signs with it.
  hotWallets: (backend) =>
    together(
      chain(backend),
      {
        variables: { SIGNING_KEY_IDS: backend.keys.signingIds },
        allow: (role) => backend.keys.allowReading(role),
      },
      rows('SETTLEMENTS_TABLE', backend.tables.settlements, ['BatchGetItem', 'GetItem']),
    ),
  webhookSender: nothing,
  simulators: ({ simulators }) => {
    if (!simulators) throw new Error('There are no simulators outside of the sandbox');
    return together(
      { variables: simulators.variables },
      rows('SIMULATORS_TABLE', simulators.table, SIMULATOR_ACTIONS),
    );
  },
};

export function grantOf(need: AnyNeed, backend: Backend): Grant {
  const granter = GRANTS[need];
  if (!granter) throw new Error(`Nobody has decided what the need ${need} grants: see infra/grants.ts`);
  return granter(backend);
}

/** Of a partner's row its endpoints, of a key's its status. */
const PARTNER_CHANGES = ['webhookEndpoints', 'version', 'status'];

/** Of a client's row all but the pairs that reviewers have decided about. */
const CLIENT_CHANGES = [
  ...['partnerId', 'cpfCipher', 'totpCipher', 'enrolledAt', 'lastStep', 'lastTransactionId', 'lastRequestId'],
  ...['wrongCodes', 'lockedUntil', 'mustProve', 'wallets', 'charges', 'ttl', 'spentReviews', 'reviewSpentAt'],
  ...['rejectedAt', 'rejectedFor', 'raisedAt', 'raisedTier', ...OVERRULING],
];

/** What moves money posts it, and nobody changes or deletes a posting: as for evidence, the put's condition guards it. */
const posted = ({ ledger }: Tables) => rows('LEDGER_TABLE', ledger, ['PutItem']);

/** Of a float what a reading says. */
const FLOAT_READING = ['room', 'largest', 'taken', 'readings', 'readAt', 'block', 'isGasLow', 'hotWallets'];
const FLOAT_RESERVATION = ['room', 'largest', 'taken', 'readAt', 'isGasLow', 'paused'];

/** Of a case of money what opens it, and not how it was closed, nor who lifted its block. */
const MONEY_CASE_OPENING = [
  ...['kind', 'status', 'openedAt', 'deadline', 'transactionId', 'partnerId', 'clientId', 'endToEndId'],
  ...['txHash', 'amountCentavos', 'facts', 'upTo', 'progress', 'block'],
];

/** The one object that names OFAC's addresses; not the index, which takes as long to read as all the rest. */
function publication({ lists }: Backend): Grant {
  return {
    variables: { LISTS_BUCKET: lists.bucketName },
    allow: (role) => {
      to(['s3:GetObject'], lists.arnForObjects('lists/current.json'))(role);
      // Without it an object that is not there looks like one that may not be read.
      to(['s3:ListBucket'], lists.bucketArn)(role);
    },
  };
}
