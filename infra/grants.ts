import type { IRole } from 'aws-cdk-lib/aws-iam';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { Stack } from 'aws-cdk-lib/core';
import type { Purpose } from '../functions/adapters/aws/vault.ts';
import type { Backend, Granter } from './backend.ts';
import {
  asJson,
  type Grant,
  queue,
  rows,
  SIMULATOR_ACTIONS,
  secret,
  tablesFor,
  to,
  together,
  variable,
} from './grant.ts';
import { acknowledgeWildcard } from './nag.ts';
import { SEARCH_NODE_OPTIONS } from './node-options.ts';
import type { AnyNeed } from './sources.ts';

/** The need is met by the code, or by the variables that every function has. */
const nothing: Granter = () => ({ variables: {} });

/** The grants of each need, except on tables: `functions/tables.ts` has those. */
const GRANTS: Partial<Record<AnyNeed, Granter>> = {
  clock: nothing,
  random: nothing,
  log: nothing,
  stage: nothing,
  partnerTokens: nothing,
  webhookSender: nothing,
  pages: nothing,
  lookup: ({ lookup }) => secret('lookupSecret', lookup),
  vault: (backend) => dataKey(backend, [SEAL, OPEN], { purpose: 'client' }),
  totpSealer: (backend) => dataKey(backend, [SEAL], { purpose: 'totp' }),
  totpOpener: (backend) => dataKey(backend, [OPEN], { purpose: 'totp' }),
  webhookSealer: (backend) => dataKey(backend, [SEAL], { purpose: 'webhook' }),
  webhookOpener: (backend) => dataKey(backend, [OPEN], { purpose: 'webhook' }),
  // A function opens its own answers only: another function's may hold the secret of a webhook or of a client.
  idempotency: (backend, answersOf) =>
    together(dataKey(backend, [SEAL, OPEN], { purpose: 'answer', answersOf }), {
      variables: variable('answersOf', answersOf),
    }),
  keyLimits: ({ settings }) => asJson('keyLimits', settings.keyLimits),
  promiseLimits: ({ settings }) => asJson('promiseLimits', settings.promiseLimits),
  chargeLimits: ({ settings }) => asJson('chargeLimits', settings.chargeLimits),
  apiUrl: ({ apiUrl }) => ({ variables: variable('apiUrl', apiUrl) }),
  explorer: ({ settings }) => asJson('explorer', settings.explorer),
  machine: ({ machine }) => ({
    variables: variable('stateMachineArn', machine.machine),
    allow: (role) => {
      to(['states:StartExecution', 'states:SendTaskSuccess'], machine.machine)(role);
      to(['states:DescribeExecution'], machine.executions)(role);
      acknowledgeWildcard(role, machine.executions, 'Executions are named after transactions.');
    },
  }),
  webhookQueue: ({ queues }) => queue('webhookQueueUrl', queues.webhook),
  callbackQueue: ({ queues }) => queue('callbackQueueUrl', queues.callback),
  pix: ({ secrets, callbackUrl }) =>
    together(secret('pixSecret', secrets.pix), secret('pixCallbackSecret', secrets.pixCallback), {
      variables: variable('callbackUrl', callbackUrl),
    }),
  pixCallback: ({ secrets }) => secret('pixCallbackSecret', secrets.pixCallback),
  identity: ({ secrets }) => secret('identitySecret', secrets.identity),
  cpfRegistry: ({ secrets }) => secret('cpfRegistrySecret', secrets.cpfRegistry),
  companyRegistry: ({ secrets }) => secret('companyRegistrySecret', secrets.companyRegistry),
  sanctions: ({ lists }) =>
    together(listFiles(lists, ['s3:GetObject']), { variables: { NODE_OPTIONS: SEARCH_NODE_OPTIONS } }),
  listEffects: ({ settings }) => asJson('listEffects', settings.listEffects),
  listedWallets: ({ lists }) => publication(lists),
  publishers: ({ listSources }) => asJson('listSources', listSources),
  // No function may delete lists. The bucket keeps the former version of an object that is replaced.
  listArchive: ({ lists }) => listFiles(lists, ['s3:GetObject', 's3:PutObject']),
  walletRisk: (backend) =>
    together(
      publication(backend.lists),
      chain(backend),
      backend.secrets.walletScreening
        ? secret('walletScreeningSecret', backend.secrets.walletScreening)
        : { variables: {} },
    ),
  prices: ({ priceUrls }) => asJson('priceUrls', priceUrls),
  ptax: ({ ptaxUrl }) => ({ variables: variable('ptaxUrl', ptaxUrl) }),
  priceBounds: ({ settings }) => asJson('priceBounds', settings.priceBounds),
  // The treasury reads the holds, because no payment may leave while money is held. Its function has the role that the
  // keys let sign.
  treasury: (backend, id) =>
    together(
      chain(backend),
      grantOf('holds:read', backend, id),
      grantOf('floatLimits', backend, id),
      signingKeys(backend),
    ),
  outflows: (backend) => together(chain(backend), publicKeys(backend)),
  // The address of a wallet follows from its public key, so nothing needs to be signed.
  hotWallets: (backend) => together(chain(backend), publicKeys(backend)),
  // `transfers` has no signing key, because it sends only bytes that were signed before.
  transfers: (backend) => chain(backend),
  floatLimits: ({ settings }) => asJson('floatLimits', settings.floatLimits),
  simulators: ({ simulators }) => {
    if (!simulators) throw new Error('There are no simulators outside of the sandbox');
    return together(
      { variables: simulators.variables },
      rows('SIMULATORS_TABLE', simulators.table, SIMULATOR_ACTIONS),
    );
  },
};

/** Collects all grants of one need. Throws where the need has none. */
export function grantOf(need: AnyNeed, backend: Backend, id: string): Grant {
  const [tables, other] = [tablesFor(need, backend.tables), GRANTS[need]?.(backend, id)];
  const grants = [tables, other].filter((grant) => grant !== undefined);
  if (grants.length === 0)
    throw new Error(`The need ${need} grants nothing: add it to functions/tables/ or to infra/grants.ts`);
  return together(...grants);
}

const SEAL = 'kms:GenerateDataKey';
const OPEN = 'kms:Decrypt';

/** Grants the use of the data key under this context only. KMS checks the context of each call. */
function dataKey({ keys }: Backend, actions: string[], context: Purpose): Grant {
  const named = Object.entries(context).map(([name, value]) => [`kms:EncryptionContext:${name}`, value]);
  return {
    variables: variable('dataKeyId', keys.data.keyId),
    allow: to(actions, keys.data.keyArn, { StringEquals: Object.fromEntries(named) }),
  };
}

function chain({ settings, secrets }: Backend): Grant {
  return together(secret('chainSecret', secrets.chain), asJson('chain', settings.chain));
}

const signingKeys = ({ keys }: Backend): Grant => ({ variables: variable('signingKeyIds', keys.signingIds) });

function publicKeys(backend: Backend): Grant {
  const allowed = backend.keys.signing.map(({ keyArn }) => to(['kms:GetPublicKey'], keyArn));
  return {
    ...signingKeys(backend),
    allow: (role) => {
      for (const allow of allowed) allow(role);
    },
  };
}

/** Grants the use of the objects of all lists and of the index of names. */
function listFiles(lists: IBucket, actions: string[]): Grant {
  return {
    variables: variable('listsBucket', lists.bucketName),
    allow: (role) => {
      const files = lists.arnForObjects('lists/*');
      to(actions, files)(role);
      mayMiss(lists, role);
      const exported = `${Stack.of(lists).exportValue(lists.bucketArn)}/lists/*`;
      acknowledgeWildcard(role, exported, 'The lists are the objects of one folder.');
    },
  };
}

/**
 * Grants reading of the object with OFAC's wallet addresses. It does not include the index of names, which takes long
 * to read.
 */
function publication(lists: IBucket): Grant {
  return {
    variables: variable('listsBucket', lists.bucketName),
    allow: (role) => {
      to(['s3:GetObject'], lists.arnForObjects('lists/current.json'))(role);
      mayMiss(lists, role);
    },
  };
}

// Without this permission S3 answers 403 for a missing object, as for an object that may not be read.
const mayMiss = (lists: IBucket, role: IRole) => to(['s3:ListBucket'], lists.bucketArn)(role);
