import type { IRole } from 'aws-cdk-lib/aws-iam';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { Stack } from 'aws-cdk-lib/core';
import type { Purpose } from '../functions/adapters/aws/vault.ts';
import { LIST_EFFECTS, type ListEffects } from '../functions/domain/screening/lists.ts';
import { packBounds } from '../functions/domain/treasury/packed-bounds.ts';
import type { Backend, Granter } from './backend.ts';
import { asJson, type Grant, joinedGrants, queueGrant, secret, tablesFor, to, variable } from './grant.ts';
import { acknowledgeWildcard } from './nag.ts';
import { SEARCH_NODE_OPTIONS } from './node-options.ts';
import type { AnyNeed } from './sources.ts';

/**
 * The grant of a need that requires no right. Its code uses no resource, or only variables that every
 * function has.
 */
const nothing: Granter = () => ({ variables: {} });

/**
 * The grant of each need. The grants on tables are not here, because `functions/tables.ts` names the needs of each
 * table.
 */
const GRANTS: Partial<Record<AnyNeed, Granter>> = {
  clock: nothing,
  // `charges` is made of parts that have needs of their own. The grants of these needs allow its writes.
  charges: nothing,
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
  destinationSealer: (backend) =>
    joinedGrants(
      dataKey(backend, [SEAL], { purpose: 'destination' }),
      asJson('chain', backend.settings.chain),
    ),
  unitsSealer: (backend) => dataKey(backend, [SEAL], { purpose: 'units' }),
  // A function can decrypt only its own stored answers. Those of another function may contain a webhook's or a client's
  // secret.
  idempotency: (backend, answersOf) =>
    joinedGrants(dataKey(backend, [SEAL, OPEN], { purpose: 'answer', answersOf }), {
      variables: variable('answersOf', answersOf),
    }),
  registryQuota: ({ settings }) => asJson('registryQuota', settings.registryQuota),
  keyLimits: ({ settings }) => asJson('keyLimits', settings.keyLimits),
  payerProofDays: ({ settings }) => asJson('payerProofDays', settings.payerProofDays),
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
  executions: ({ machine }) => ({
    variables: variable('stateMachineArn', machine.machine),
    allow: (role) => {
      to(['states:GetExecutionHistory'], machine.executions)(role);
      acknowledgeWildcard(role, machine.executions, 'Executions are named after transactions.');
    },
  }),
  archiveBucket: (backend) => writeOnly(backend),
  webhookQueue: ({ queues }) => queueGrant('webhookQueueUrl', queues.webhook),
  callbackQueue: ({ queues }) => queueGrant('callbackQueueUrl', queues.callback),
  // The CDK grants a consumer the visibility of its messages, with its mapping.
  retries: nothing,
  pix: ({ secrets, callbackUrl }) =>
    joinedGrants(secret('pixSecret', secrets.pix), secret('pixCallbackSecret', secrets.pixCallback), {
      variables: variable('callbackUrl', callbackUrl),
    }),
  pixCallback: ({ secrets }) => secret('pixCallbackSecret', secrets.pixCallback),
  identity: ({ secrets }) => secret('identitySecret', secrets.identity),
  cpfRegistry: ({ secrets }) => secret('cpfRegistrySecret', secrets.cpfRegistry),
  companyRegistry: ({ secrets }) => secret('companyRegistrySecret', secrets.companyRegistry),
  sanctions: ({ lists }) =>
    joinedGrants(listFilesGrant(lists, ['s3:GetObject']), {
      variables: { NODE_OPTIONS: SEARCH_NODE_OPTIONS },
    }),
  listEffects: ({ settings }) => asJson('listEffects', changesIn(settings.listEffects)),
  listedWallets: ({ lists }) => publication(lists),
  publishers: ({ listSources }) => asJson('listSources', listSources),
  // No function may delete lists. If an object is replaced, the bucket keeps its former version.
  listArchive: ({ lists }) => listFilesGrant(lists, ['s3:GetObject', 's3:PutObject']),
  walletRisk: (backend) =>
    joinedGrants(
      publication(backend.lists),
      chain(backend),
      backend.secrets.walletScreening
        ? secret('walletScreeningSecret', backend.secrets.walletScreening)
        : { variables: {} },
    ),
  prices: ({ priceUrls }) => asJson('priceUrls', priceUrls),
  ptax: ({ ptaxUrl }) => ({ variables: variable('ptaxUrl', ptaxUrl) }),
  priceBounds: ({ settings }) => asJson('priceBounds', packBounds(settings.priceBounds)),
  // The treasury needs `holds:read`, because no payment takes a nonce while all money is held. It may decrypt a
  // payout's sealed data, but not seal new data. Only the role of its function may sign with the keys.
  treasury: (backend, id) =>
    joinedGrants(
      chain(backend),
      grantOf('holds:read', backend, id),
      grantOf('floatLimits', backend, id),
      signingKeys(backend),
      dataKey(backend, [OPEN], { purpose: 'destination' }),
      dataKey(backend, [OPEN], { purpose: 'units' }),
    ),
  outflows: (backend) => joinedGrants(chain(backend), publicKeys(backend)),
  // A wallet's address is computed from its public key, so this need cannot sign.
  hotWallets: (backend) => joinedGrants(chain(backend), publicKeys(backend)),
  // `transfers` has no signing key, because it only sends bytes that were signed before.
  transfers: (backend) => chain(backend),
  floatLimits: ({ settings }) => asJson('floatLimits', settings.floatLimits),
  simulators: ({ simulators }) => {
    if (!simulators) throw new Error('There are no simulators outside of the sandbox');
    return { variables: simulators.variables };
  },
};

/** Only the effects that a stage changes become a variable, because Lambda allows 4 KB of variables. */
const changesIn = (effects: ListEffects) =>
  Object.fromEntries(
    Object.entries(effects).filter(([list, effect]) => LIST_EFFECTS[list as keyof ListEffects] !== effect),
  );

/** All grants of a need. Throws if there are none. */
export function grantOf(need: AnyNeed, backend: Backend, id: string): Grant {
  const [tables, other] = [tablesFor(need, backend.tables), GRANTS[need]?.(backend, id)];
  const grants = [tables, other].filter((grant) => grant !== undefined);
  if (grants.length === 0)
    throw new Error(`The need ${need} grants nothing: add it to functions/tables/ or to infra/grants.ts`);
  return joinedGrants(...grants);
}

/** Grants that only the console has. They allow to read data that the service's functions write. */
export const readVault = (backend: Backend): Grant => dataKey(backend, [OPEN], { purpose: 'client' });
export const readLists = ({ lists }: Backend): Grant => listFilesGrant(lists, ['s3:GetObject']);

const SEAL = 'kms:GenerateDataKey';
const OPEN = 'kms:Decrypt';

/** Allows to use the data key with this encryption context only. KMS checks the context of each call. */
function dataKey({ keys }: Backend, actions: string[], context: Purpose): Grant {
  const named = Object.entries(context).map(([name, value]) => [`kms:EncryptionContext:${name}`, value]);
  return {
    variables: variable('dataKeyId', keys.data.keyId),
    allow: to(actions, keys.data.keyArn, { StringEquals: Object.fromEntries(named) }),
  };
}

function chain({ settings, secrets }: Backend): Grant {
  return joinedGrants(secret('chainSecret', secrets.chain), asJson('chain', settings.chain));
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

/**
 * Allows to add objects to the archive, and neither to read nor to delete any. The key may encrypt for this bucket
 * only: with a bucket key, S3 names the bucket to KMS.
 */
function writeOnly({ history, keys }: Backend): Grant {
  return {
    variables: variable('historyBucket', history.bucketName),
    allow: (role) => {
      const { region } = Stack.of(role);
      to(['s3:PutObject'], history.arnForObjects('*'))(role);
      to([SEAL], keys.data.keyArn, {
        StringEquals: {
          'kms:ViaService': `s3.${region}.amazonaws.com`,
          'kms:EncryptionContext:aws:s3:arn': history.bucketArn,
        },
      })(role);
      const exported = `${Stack.of(history).exportValue(history.bucketArn)}/*`;
      acknowledgeWildcard(role, exported, 'The archive’s objects have the names of executions and days.');
    },
  };
}

/** Allows these actions on the files of all sanctions lists, and on the index of names. */
function listFilesGrant(lists: IBucket, actions: string[]): Grant {
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
 * Allows to read only `current.json`, which contains OFAC's wallet addresses. The index of names is not included,
 * because reading it takes long.
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

// Allows to list the bucket. Without this permission S3 answers 403 for a missing object, as if it were forbidden.
const mayMiss = (lists: IBucket, role: IRole) => to(['s3:ListBucket'], lists.bucketArn)(role);
