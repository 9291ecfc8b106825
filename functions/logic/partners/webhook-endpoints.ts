import { refuseField } from '../../domain/errors.ts';
import type { Partner } from '../../domain/partners/partner.ts';
import {
  type EndpointEdit,
  filledOf,
  losesAddress,
  requireEndpoint,
  SECRET_OVERLAP_MS,
  type WebhookEndpoint,
  withEdited,
  withEndpoint,
  withNewSecret,
  withoutEndpoint,
} from '../../domain/partners/webhook-endpoint.ts';
import type { Needs, Random } from '../../domain/ports.ts';
import { changePartner } from './change-partner.ts';

export const ENDPOINT_NEEDS = ['partners', 'webhookSealer', 'random', 'clock'] as const;
type Ports = Needs<typeof ENDPOINT_NEEDS>;

/** The text that tells a partner which URLs are allowed. `isAllowed` of the `webhookSender` decides. */
export const ALLOWED_ADDRESS = [
  'an https address that everybody can reach, without user and password;',
  'http is for a local sandbox’s own machine alone',
].join(' ');

/** Refuses a URL that must not be called, before anything is stored. */
export function requireAllowedUrl(url: string, { webhookSender }: Needs<readonly ['webhookSender']>): void {
  if (!webhookSender.isAllowed(url)) refuseField('url', `must be ${ALLOWED_ADDRESS}`);
}

const SECRET_BYTES = 32;

/** Makes a secret in the form of Standard Webhooks: 24 to 64 bytes after the prefix. */
function newWebhookSecret(random: Random): string {
  return `whsec_${Buffer.from(random.bytes(SECRET_BYTES)).toString('base64')}`;
}

/**
 * Changes the partner's endpoints. If another request changes them at the same time, it starts again. Returns the
 * endpoints as saved.
 */
export async function changeEndpoints(
  partnerId: string,
  change: (endpoints: WebhookEndpoint[]) => WebhookEndpoint[],
  { partners, clock }: Pick<Ports, 'partners' | 'clock'>,
): Promise<WebhookEndpoint[]> {
  const set = ({ webhookEndpoints: former, addressLostAt }: Partner) => {
    const webhookEndpoints = change(former);
    return losesAddress(former, webhookEndpoints)
      ? { webhookEndpoints, addressLostAt: clock.now() }
      : { webhookEndpoints, addressLostAt };
  };
  return (await changePartner(partnerId, set, partners)).webhookEndpoints;
}

type Added = EndpointEdit & { id: string; url: string };

/** Adds an endpoint. It is enabled unless `enabled` is false. Only this answer has its secret. */
export async function addEndpoint({ id: partnerId }: Partner, added: Added, ports: Ports) {
  const { id, url, enabled = true, ...words } = added;
  const secret = newWebhookSecret(ports.random);
  const secretCipher = await ports.webhookSealer.encrypt(secret, partnerId);
  const createdAt = ports.clock.now();
  const stopped = enabled ? undefined : ({ as: 'DISABLED', at: createdAt } as const);
  const endpoint = { id, url, secretCipher, createdAt, ...(stopped && { stopped }), ...filledOf(words) };
  await changeEndpoints(partnerId, (endpoints) => withEndpoint(endpoints, endpoint), ports);
  return { endpoint, secret };
}

export async function editEndpoint(
  { id: partnerId }: Partner,
  { id, ...edit }: EndpointEdit & { id: string },
  ports: Pick<Ports, 'partners' | 'clock'>,
): Promise<WebhookEndpoint> {
  const dated = { ...edit, now: ports.clock.now() };
  const saved = await changeEndpoints(partnerId, (all) => withEdited(all, id, dated), ports);
  return requireEndpoint(saved, id);
}

/**
 * Gives an endpoint a new secret. Until `formerSecretUntil`, in epoch milliseconds, each message is signed
 * with the new and the former secret.
 */
export async function rotateSecret(
  { id: partnerId }: Partner,
  { id, by }: { id: string; by: string },
  ports: Ports,
) {
  const secret = newWebhookSecret(ports.random);
  const secretCipher = await ports.webhookSealer.encrypt(secret, partnerId);
  const now = ports.clock.now();
  const rotate = (endpoints: WebhookEndpoint[]) => withNewSecret(endpoints, { id, secretCipher, by, now });
  await changeEndpoints(partnerId, rotate, ports);
  return { id, secret, formerSecretUntil: now + SECRET_OVERLAP_MS };
}

export async function removeEndpoint(
  { id: partnerId }: Partner,
  id: string,
  ports: Pick<Ports, 'partners' | 'clock'>,
) {
  await changeEndpoints(partnerId, (endpoints) => withoutEndpoint(endpoints, id), ports);
}
