import { createHash } from 'node:crypto';
import { partnerRegister, partnerStore } from '../../functions/adapters/dynamodb/partners.ts';
import type { ApiKey, KeyScope } from '../../functions/domain/partners/api-key.ts';
import { dice } from './dice.ts';
import { call } from './partner-api.ts';
import { dynamo, newPartner, physical } from './sandbox.ts';

/** The endpoints under /laas/partner, on the wire. */
export const PARTNER_PATH = '/laas/partner';
export const ENDPOINTS_PATH = `${PARTNER_PATH}/webhook-endpoints`;
export const endpointPath = (id: string) => `${ENDPOINTS_PATH}/${id}`;
export const rotatePath = (id: string) => `${endpointPath(id)}/rotate-secret`;
export const revokePath = (keyId: string) => `${PARTNER_PATH}/keys/${keyId}/revoke`;

type KeyHeader = { headers?: Record<string, string> };
type Fields = { fields?: object };

export const getPartner = (apiKey: string) => call('GET', PARTNER_PATH, { apiKey });
export const addEndpoint = (apiKey: string, url: unknown, { fields, ...more }: KeyHeader & Fields = {}) =>
  call('POST', ENDPOINTS_PATH, { apiKey, body: { url, ...fields }, ...more });
export const editEndpoint = (apiKey: string, id: string, edit: object, more: KeyHeader = {}) =>
  call('POST', endpointPath(id), { apiKey, body: edit, ...more });
export const enableEndpoint = (apiKey: string, id: string) =>
  call('POST', `${endpointPath(id)}/enable`, { apiKey, body: {} });
export const testEndpoint = (apiKey: string, id: string, more: KeyHeader = {}) =>
  call('POST', `${endpointPath(id)}/test`, { apiKey, body: {}, ...more });
export const rotateSecret = (apiKey: string, id: string, more: KeyHeader = {}) =>
  call('POST', rotatePath(id), { apiKey, body: {}, ...more });
export const removeEndpoint = (apiKey: string, id: string, more: KeyHeader = {}) =>
  call('DELETE', endpointPath(id), { apiKey, ...more });
export const revokeKey = (apiKey: string, keyId: string, more: KeyHeader = {}) =>
  call('POST', revokePath(keyId), { apiKey, body: {}, ...more });

type Endpoint = { id: string; url: string; createdAt: string; formerSecretUntil?: string };

export async function endpointsOf(apiKey: string): Promise<Endpoint[]> {
  const { data } = await getPartner(apiKey);
  return data.webhookEndpoints as Endpoint[];
}

/** A partner whose key has these scopes, with its key. */
export async function managed(scopes: KeyScope[] = ['read', 'manage']) {
  const { partnerId } = await newPartner();
  return { partnerId, apiKey: await newKey(partnerId, 'manager', scopes) };
}

/** Makes one more key of the partner, as operators do. */
export async function newKey(
  partnerId: string,
  keyId: string,
  scopes: KeyScope[] = ['read', 'write'],
): Promise<string> {
  const apiKey = `sk_sandbox_${partnerId}_${keyId}_${'0'.repeat(16)}`;
  const table = physical('TablesPartners');
  const partner = (await partnerStore(dynamo(), table, dice).findPartner(partnerId))!;
  const sha256 = createHash('sha256').update(apiKey).digest('hex');
  const key: ApiKey = { partnerId, keyId, sha256, scopes, status: 'ACTIVE', createdAt: Date.now() };
  if (!(await partnerRegister(dynamo(), table, dice).createKey(partner, key))) throw new Error('no key');
  return apiKey;
}
