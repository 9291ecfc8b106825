import { createHash } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { vault } from '../functions/adapters/aws/vault.ts';
import { kmsSigner } from '../functions/adapters/chain/kms-signer.ts';
import { keyRowId, partnerRowId } from '../functions/adapters/dynamodb/partners.ts';
import { getDefined } from '../functions/domain/get.ts';
import {
  type ApiKey,
  type KeyParts,
  type Partner,
  requireKeyParts,
} from '../functions/domain/partners/partner.ts';
import { fund, localChain } from './chain/deploy.ts';
import type { Cloud } from './cloud/boot.ts';
import { sandboxVendor } from './partner-keys.ts';

/** Keys of local sandboxes only: docs/decisions.md, "The sandbox's endpoints and keys". */
export const SANDBOX_API_KEY = 'sk_sandbox_demo_key1_0000000000000000';
export const REVOKED_API_KEY = 'sk_sandbox_demo_key2_0000000000000000';
export const SUSPENDED_API_KEY = 'sk_sandbox_frozen_key1_0000000000000000';
export const OTHER_API_KEY = 'sk_sandbox_other_key1_0000000000000000';

/** The demo partner's webhook secret, in the form of Standard Webhooks. */
export const WEBHOOK_SECRET = `whsec_${Buffer.from('sandbox-demo-webhook-secret-0000').toString('base64')}`;

type Clients = ReturnType<typeof clientsOf>;

/**
 * Does the operators' work after a deployment: partners, keys, the chain's address, and funds for each hot wallet.
 */
export async function seed(cloud: Cloud, rpcUrl: string, apiKey = SANDBOX_API_KEY): Promise<void> {
  const clients = clientsOf(cloud);
  const keyIds = getDefined(cloud.outputs.SigningKeyIds, 'output SigningKeyIds').split(',');
  const [treasury] = await Promise.all([
    Promise.all(keyIds.map((keyId) => kmsSigner(async () => clients.kms, keyId).address())),
    putSecret(clients, cloud.physical('SecretsChain'), { rpcUrls: [rpcUrl] }),
    tellSimulators(cloud, '/chain', { rpcUrl, tokens: localChain.tokens }),
    putPartners(clients, cloud, apiKey),
    rememberWebhookSecrets(cloud, [requireKeyParts(apiKey, 'sandbox').partnerId, 'other']),
  ]);
  // One wallet after another, because the tokens' owner sends with the account's pending nonce.
  for (const wallet of treasury) await fund(rpcUrl, wallet);
}

function clientsOf({ endpoint, region }: Cloud) {
  const credentials = { accessKeyId: 'operator', secretAccessKey: 'operator' };
  const options = { endpoint, region, credentials };
  return {
    dynamo: DynamoDBDocumentClient.from(new DynamoDBClient(options)),
    kms: new KMSClient(options),
    secrets: new SecretsManagerClient(options),
  };
}

async function putSecret({ secrets }: Clients, id: string, value: object): Promise<void> {
  await secrets.send(new PutSecretValueCommand({ SecretId: id, SecretString: JSON.stringify(value) }));
}

const idIfOf = ({ partnerId, keyId }: KeyParts, id: string) => (partnerId === id ? [keyId] : []);

async function putPartners(clients: Clients, cloud: Cloud, apiKey: string): Promise<void> {
  const keys = [apiKey, REVOKED_API_KEY, SUSPENDED_API_KEY, OTHER_API_KEY];
  const since = { createdAt: Date.now(), version: 0 };
  const demo = {
    name: 'Demo Exchange',
    status: 'ACTIVE',
    spreadBasisPoints: 100,
    kycTokens: sandboxVendor,
    ...since,
  } as const;
  const put = (Item: object) =>
    clients.dynamo.send(new PutCommand({ TableName: cloud.physical('TablesPartners'), Item }));
  const partner = async (id: string, fields: Omit<Partner, 'id' | 'keyIds' | 'webhookEndpoints'>) =>
    put({
      ...fields,
      id: partnerRowId(id),
      keyIds: keys.map((key) => requireKeyParts(key, 'sandbox')).flatMap((key) => idIfOf(key, id)),
      webhookEndpoints: [await endpointOf(id, clients, cloud)],
    });
  await Promise.all([
    partner(requireKeyParts(apiKey, 'sandbox').partnerId, demo),
    partner('other', { ...demo, name: 'Other Exchange' }),
    partner('frozen', { ...demo, name: 'Frozen Exchange', status: 'SUSPENDED' }),
    put(keyRow(apiKey, 'ACTIVE')),
    put(keyRow(REVOKED_API_KEY, 'REVOKED')),
    put(keyRow(SUSPENDED_API_KEY, 'ACTIVE')),
    put(keyRow(OTHER_API_KEY, 'ACTIVE')),
  ]);
}

async function endpointOf(partnerId: string, { kms }: Clients, cloud: Cloud) {
  const { encrypt } = vault({
    load: async () => kms,
    dataKeyId: cloud.physical('KeysData'),
    lookupSecret: async () => '',
    random: { bytes: (length) => crypto.getRandomValues(new Uint8Array(length)) },
    clock: { now: () => Date.now(), minuteMs: 60_000 },
  });
  return {
    id: 'receiver',
    url: `${cloud.apis['onramp-simulators']}/webhook-receiver/${partnerId}`,
    secretCipher: await encrypt(WEBHOOK_SECRET, partnerId),
    createdAt: Date.now(),
  };
}

function keyRow(key: string, status: ApiKey['status']): ApiKey & { id: string } {
  const { partnerId, keyId } = requireKeyParts(key, 'sandbox');
  const sha256 = createHash('sha256').update(key).digest('hex');
  return { id: keyRowId(partnerId, keyId), partnerId, keyId, sha256, status, createdAt: Date.now() };
}

/** The key of the simulators' control interface, from the simulators' own environment. */
export function controlKeyOf({ resources }: Cloud): string {
  const simulators = Object.entries(resources).find(
    ([id, { type }]) => type === 'AWS::Lambda::Function' && id.startsWith('SimulatorsFunction'),
  );
  if (!simulators) throw new Error('the stack has no simulators');
  const { Environment } = simulators[1].properties as { Environment: { Variables: Record<string, string> } };
  return Environment.Variables.CONTROL_KEY ?? '';
}

/** Gives the built-in receiver the partners' secrets, so that it can check signatures. */
async function rememberWebhookSecrets(cloud: Cloud, partnerIds: string[]): Promise<void> {
  const secret = { secret: WEBHOOK_SECRET };
  await Promise.all(partnerIds.map((id) => tellSimulators(cloud, `/webhooks/${id}/secret`, secret)));
}

async function tellSimulators(cloud: Cloud, path: string, body: object): Promise<void> {
  const answer = await fetch(`${cloud.apis['onramp-simulators']}/control${path}`, {
    method: 'PUT',
    headers: { 'x-control-key': controlKeyOf(cloud) },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`the simulators answered ${answer.status} to ${path}`);
}
