import type { IRole } from 'aws-cdk-lib/aws-iam';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { Backend, Granter } from './backend.ts';
import { type Grant, queue, rows, SIMULATOR_ACTIONS, secret, tablesFor, to, together } from './grant.ts';
import { acknowledgeWildcard } from './nag.ts';
import { SEARCH_NODE_OPTIONS } from './node-options.ts';
import type { AnyNeed } from './sources.ts';

/** A need that comes with the code, or with the variables that every function has. */
const nothing: Granter = () => ({ variables: {} });

/** A setting of `cdk.json`, as JSON in a variable. */
const told = (variable: string, value: unknown): Grant => ({
  variables: { [variable]: JSON.stringify(value) },
});

/** What each need grants beside the tables, which `functions/tables.ts` grants. */
const GRANTS: Partial<Record<AnyNeed, Granter>> = {
  clock: nothing,
  random: nothing,
  log: nothing,
  stage: nothing,
  partnerTokens: nothing,
  webhookSender: nothing,
  vault: ({ keys, secrets }) =>
    together(
      {
        variables: { DATA_KEY_ID: keys.data.keyId },
        allow: to(['kms:GenerateDataKey', 'kms:Decrypt'], keys.data.keyArn),
      },
      secret('LOOKUP_SECRET', secrets.lookup),
    ),
  chargeLimits: ({ settings }) => told('CHARGE_LIMITS', settings.chargeLimits),
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
  sanctions: ({ lists }) =>
    together(listFiles(lists, ['s3:GetObject']), { variables: { NODE_OPTIONS: SEARCH_NODE_OPTIONS } }),
  listEffects: ({ settings }) => told('LIST_EFFECTS', settings.listEffects),
  listedWallets: ({ lists }) => publication(lists),
  publishers: ({ listSources }) => told('LIST_SOURCES', listSources),
  // No function may delete lists. The bucket keeps the former version of an object that is replaced.
  listArchive: ({ lists }) => listFiles(lists, ['s3:GetObject', 's3:PutObject']),
  walletRisk: (backend) =>
    together(
      publication(backend.lists),
      chain(backend),
      backend.secrets.walletScreening
        ? secret('WALLET_SCREENING_SECRET', backend.secrets.walletScreening)
        : { variables: {} },
    ),
  prices: ({ priceUrl }) => ({ variables: { PRICE_URL: priceUrl } }),
  priceBounds: ({ settings }) => told('PRICE_BOUNDS', settings.priceBounds),
  // Nothing is paid while money is held.
  treasury: (backend) =>
    together(chain(backend), grantOf('holds:read', backend), signingKeys(backend, 'allowSigning')),
  outflows: (backend) => together(chain(backend), signingKeys(backend, 'allowReading')),
  // The address of a wallet follows from its public key, so nothing needs to be signed.
  hotWallets: (backend) => together(chain(backend), signingKeys(backend, 'allowReading')),
  // Without a key: it sends what was signed before.
  transfers: (backend) => chain(backend),
  floatLimits: ({ settings }) => told('FLOAT_LIMITS', settings.floatLimits),
  simulators: ({ simulators }) => {
    if (!simulators) throw new Error('There are no simulators outside of the sandbox');
    return together(
      { variables: simulators.variables },
      rows('SIMULATORS_TABLE', simulators.table, SIMULATOR_ACTIONS),
    );
  },
};

/** What one need gives a function. */
export function grantOf(need: AnyNeed, backend: Backend): Grant {
  const [tables, other] = [tablesFor(need, backend.tables), GRANTS[need]?.(backend)];
  const grants = [tables, other].filter((grant) => grant !== undefined);
  if (grants.length === 0)
    throw new Error(`The need ${need} grants nothing: add it to functions/tables/ or to infra/grants.ts`);
  return together(...grants);
}

function chain({ settings, secrets }: Backend): Grant {
  return together(secret('CHAIN_SECRET', secrets.chain), told('CHAIN', settings.chain));
}

function signingKeys({ keys }: Backend, use: 'allowReading' | 'allowSigning'): Grant {
  return { variables: { SIGNING_KEY_IDS: keys.signingIds }, allow: (role) => keys[use](role) };
}

/** All lists, with the index in which people are searched. */
function listFiles(lists: IBucket, actions: string[]): Grant {
  return {
    variables: { LISTS_BUCKET: lists.bucketName },
    allow: (role) => {
      const files = lists.arnForObjects('lists/*');
      to(actions, files)(role);
      mayMiss(lists, role);
      acknowledgeWildcard(role, files, 'The lists are the objects of one folder.');
    },
  };
}

/** The one object that names OFAC's addresses. The index is another, which takes as long to read as all the rest. */
function publication(lists: IBucket): Grant {
  return {
    variables: { LISTS_BUCKET: lists.bucketName },
    allow: (role) => {
      to(['s3:GetObject'], lists.arnForObjects('lists/current.json'))(role);
      mayMiss(lists, role);
    },
  };
}

// Without it S3 answers for an object that is not there as for an object that may not be read.
const mayMiss = (lists: IBucket, role: IRole) => to(['s3:ListBucket'], lists.bucketArn)(role);
