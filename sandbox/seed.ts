import { createHash } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { envelope } from '../functions/adapters/aws/vault.ts';
import { kmsSigner } from '../functions/adapters/chain/kms-signer.ts';
import { keyRowId, partnerRowId } from '../functions/adapters/dynamodb/partners.ts';
import { getDefined } from '../functions/domain/get.ts';
import { type ApiKey, KEY_SCOPES } from '../functions/domain/partners/api-key.ts';
import { type Partner, requireKeyParts } from '../functions/domain/partners/partner.ts';
import { deploy, fund, localChain } from './chain/deploy.ts';
import type { Cloud } from './cloud/boot.ts';
import { sandboxVendor } from './partner-keys.ts';
import { findSimulators, type Simulators, tell } from './tell-simulators.ts';

/**
 * Public API keys, which only local sandboxes have: docs/decisions.md, "The sandbox's endpoints and keys".
 */
export const SANDBOX_API_KEY = 'sk_sandbox_demo_key1_0000000000000000';
export const REVOKED_API_KEY = 'sk_sandbox_demo_key2_0000000000000000';
export const SUSPENDED_API_KEY = 'sk_sandbox_frozen_key1_0000000000000000';
export const OTHER_API_KEY = 'sk_sandbox_other_key1_0000000000000000';

/** The webhook secret of the demo partner, in the form that Standard Webhooks defines. */
export const WEBHOOK_SECRET = `whsec_${Buffer.from('sandbox-demo-webhook-secret-0000').toString('base64')}`;

/** A partner that the seed writes, with its API keys. */
export type SeededPartner = {
  id: string;
  name: string;
  status: Partner['status'];
  keys: { text: string; status: ApiKey['status'] }[];
};

/** The partners of a sandbox on this machine. Their API keys are public. */
export function localPartners(apiKey = SANDBOX_API_KEY): SeededPartner[] {
  const keys = [apiKey, REVOKED_API_KEY].map((text) => ({ text, ...requireKeyParts(text, 'sandbox') }));
  const demo = requireKeyParts(apiKey, 'sandbox').partnerId;
  const own = keys.filter(({ partnerId }) => partnerId === demo);
  return [
    {
      id: demo,
      name: 'Demo Exchange',
      status: 'ACTIVE',
      keys: own.map(({ text }) => ({ text, status: text === REVOKED_API_KEY ? 'REVOKED' : 'ACTIVE' })),
    },
    {
      id: 'other',
      name: 'Other Exchange',
      status: 'ACTIVE',
      keys: [{ text: OTHER_API_KEY, status: 'ACTIVE' }],
    },
    {
      id: 'frozen',
      name: 'Frozen Exchange',
      status: 'SUSPENDED',
      keys: [{ text: SUSPENDED_API_KEY, status: 'ACTIVE' }],
    },
  ];
}

/**
 * The deployed stage that is seeded. `outputs` are the outputs of its service stack. `endpoint` is the URL of
 * a local cloud, and absent on AWS.
 */
type SeedPlace = { outputs: Record<string, string>; region: string; endpoint?: string };

type Seeding = {
  partners: readonly SeededPartner[];
  webhookSecret: string;
  /**
   * The URL of a local chain's node. Without it the seed deploys the contracts on the simulators' own chain.
   */
  rpcUrl?: string;
};

/**
 * Prepares a stage for its first purchases: deploys the test contracts, stores the chain, the partners and
 * their API keys, and funds each hot wallet. A second run replaces the partners and their keys, and fills the
 * wallets up again.
 */
export async function seed(place: SeedPlace, seeding: Seeding): Promise<void> {
  const { rpcUrl, partners, webhookSecret } = seeding;
  const clients = clientsOf(place);
  const simulators = await findSimulators(place, clients.secrets);
  const keyIds = outputOf(place, 'SigningKeyIds').split(',');
  const told = {
    '/chain': { rpcUrl, tokens: localChain.tokens },
    ...Object.fromEntries(partners.map(({ id }) => [`/webhooks/${id}/secret`, { secret: webhookSecret }])),
  };
  const [treasury] = await Promise.all([
    Promise.all(keyIds.map((keyId) => kmsSigner(async () => clients.kms, keyId).address())),
    rpcUrl && putSecret(clients, outputOf(place, 'ChainSecret'), { rpcUrls: [rpcUrl] }),
    tellAll(simulators, told),
    ...partners.map((partner) => putPartner(clients, place, { partner, webhookSecret })),
  ]);
  const node = rpcUrl ?? ownChainUrl(simulators);
  await deploy(node);
  // The wallets are funded one after another. The contracts' owner sends each transaction with the account's
  // pending nonce, and parallel ones would get the same nonce.
  for (const wallet of treasury) await fund(node, wallet);
}

function outputOf({ outputs }: SeedPlace, name: string): string {
  return getDefined(outputs[name], `output ${name}`);
}

type Clients = ReturnType<typeof clientsOf>;

function clientsOf({ endpoint, region }: SeedPlace) {
  const credentials = { accessKeyId: 'operator', secretAccessKey: 'operator' };
  // On AWS no credentials are set here. The AWS SDK then uses those of the person who runs the command.
  const options = { region, ...(endpoint && { endpoint, credentials }) };
  return {
    dynamo: DynamoDBDocumentClient.from(new DynamoDBClient(options)),
    kms: new KMSClient(options),
    secrets: new SecretsManagerClient(options),
  };
}

async function putSecret({ secrets }: Clients, id: string, value: object): Promise<void> {
  await secrets.send(new PutSecretValueCommand({ SecretId: id, SecretString: JSON.stringify(value) }));
}

type Seeded = { partner: SeededPartner; webhookSecret: string };

async function putPartner(clients: Clients, place: SeedPlace, seeded: Seeded): Promise<void> {
  const TableName = outputOf(place, 'PartnersTable');
  const put = (Item: object) => clients.dynamo.send(new PutCommand({ TableName, Item }));
  const { id, name, status, keys } = seeded.partner;
  const row: Partner = {
    id: partnerRowId(id),
    name,
    status,
    spreadBasisPoints: 100,
    kycTokens: sandboxVendor,
    keyIds: keys.map(({ text }) => requireKeyParts(text, 'sandbox').keyId),
    webhookEndpoints: [await endpointOf(clients, place, seeded)],
    createdAt: Date.now(),
    version: 0,
  };
  await Promise.all([put(row), ...keys.map((key) => put(keyRow(key.text, key.status)))]);
}

async function endpointOf({ kms }: Clients, place: SeedPlace, { partner, webhookSecret }: Seeded) {
  const { encrypt } = envelope({
    load: async () => kms,
    dataKeyId: outputOf(place, 'DataKeyId'),
    purpose: { purpose: 'webhook' },
    random: { bytes: (length) => crypto.getRandomValues(new Uint8Array(length)) },
    clock: { now: () => Date.now(), minuteMs: 60_000 },
  });
  return {
    id: 'receiver',
    url: `${outputOf(place, 'SimulatorsUrl')}/webhook-receiver/${partner.id}`,
    secretCipher: await encrypt(webhookSecret, partner.id),
    createdAt: Date.now(),
  };
}

function keyRow(key: string, status: ApiKey['status']): ApiKey & { id: string } {
  const { partnerId, keyId } = requireKeyParts(key, 'sandbox');
  const sha256 = createHash('sha256').update(key).digest('hex');
  const made = { sha256, scopes: [...KEY_SCOPES], status, createdAt: Date.now() };
  return { id: keyRowId(partnerId, keyId), partnerId, keyId, ...made };
}

/**
 * Sends one body to each path, one after another. Parallel calls would each start a new instance of the
 * simulators.
 */
async function tellAll(simulators: Simulators, bodies: Record<string, object>): Promise<void> {
  for (const [path, body] of Object.entries(bodies)) await tell(simulators, path, body);
}

/** The URL of the simulators' own chain that also offers the methods of the contracts' owner. */
export const ownChainUrl = ({ url, controlKey }: Simulators) => `${url}/chain/${controlKey}`;

/** The key of the simulators' control calls, from the environment of their function. */
export function controlKeyOf({ resources }: Cloud): string {
  const simulators = Object.entries(resources).find(
    ([id, { type }]) => type === 'AWS::Lambda::Function' && id.startsWith('SimulatorsFunction'),
  );
  if (!simulators) throw new Error('the stack has no simulators');
  const { Environment } = simulators[1].properties as { Environment: { Variables: Record<string, string> } };
  return Environment.Variables.CONTROL_KEY ?? '';
}
