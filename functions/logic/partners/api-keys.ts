import { createHash } from 'node:crypto';
import { Unavailable } from '../../domain/errors.ts';
import { keyCreatedEvent } from '../../domain/partners/account-events.ts';
import {
  type ApiKey,
  type GivenScope,
  type PartnersKey,
  requireKey,
  requireScope,
} from '../../domain/partners/api-key.ts';
import { keyIdsBeside, witnessesOf } from '../../domain/partners/made-key.ts';
import type { Partner } from '../../domain/partners/partner.ts';
import type { Needs, Random } from '../../domain/ports.ts';
import { DAY_MS } from '../../domain/time.ts';
import { getPartner } from '../rows.ts';

export const KEY_NEEDS = ['stage', 'clock', 'random', 'partnerKeys', 'keyLimits'] as const;
type Ports = Needs<typeof KEY_NEEDS>;

const SECRET_BYTES = 24;
/** The most tries to write the partner's row while other requests change it. */
const ROUNDS = 5;

type OfKey = { stage: string; partnerId: string; keyId: string };

/** The text of a new key and its digest. The text is shown once and never stored. */
export function newApiKey({ stage, partnerId, keyId }: OfKey, random: Random) {
  const secret = Buffer.from(random.bytes(SECRET_BYTES)).toString('hex');
  const text = `sk_${stage}_${partnerId}_${keyId}_${secret}`;
  return { text, sha256: createHash('sha256').update(text).digest('hex') };
}

type WantedKey = { keyId: string; scopes: GivenScope[]; expiresInDays: number; maker: string };

/**
 * Makes a key that may not do more than the key that makes it. If the request is repeated, the same key gets another
 * secret.
 */
export async function makeKey({ id: partnerId }: Partner, wanted: WantedKey, ports: Ports) {
  const { stage, random, partnerKeys } = ports;
  const { keyId, scopes, maker } = wanted;
  const found = requireKey(await partnerKeys.findKey(partnerId, maker));
  for (const scope of scopes) requireScope(found, scope);
  const { text, sha256 } = newApiKey({ stage, partnerId, keyId }, random);
  const before = await partnerKeys.findKey(partnerId, keyId);
  if (before?.made) await partnerKeys.replaceSecret(before, sha256);
  const key = before ?? (await addKey(partnerId, { ...wanted, sha256 }, ports));
  return { key, maker: found, text };
}

async function addKey(
  partnerId: string,
  wanted: WantedKey & { sha256: string },
  ports: Ports,
): Promise<ApiKey> {
  const { partnerKeys, clock } = ports;
  for (let round = 0; round < ROUNDS; round++) {
    const partner = await getPartner(partnerKeys, partnerId);
    const beside = keyIdsBeside(await partnerKeys.listKeys(partner), clock.now());
    const key = keyOf(partner, wanted, ports);
    const endpointIds = partner.webhookEndpoints.map(({ id }) => id);
    const event = keyCreatedEvent(key, endpointIds);
    if (await partnerKeys.create(partner, { key, keyIds: [...beside, key.keyId], event })) return key;
  }
  throw new Unavailable('the partner’s row');
}

function keyOf(
  partner: Partner,
  { keyId, scopes, expiresInDays, maker, sha256 }: WantedKey & { sha256: string },
  { clock, keyLimits }: Ports,
): PartnersKey {
  const { delayMinutes, witnessMinutes } = keyLimits;
  const now = clock.now();
  const witnesses = witnessesOf(partner, now - witnessMinutes * clock.minuteMs);
  const waitMs = delayMinutes * clock.minuteMs;
  const expiresAt = now + expiresInDays * DAY_MS;
  return {
    partnerId: partner.id,
    keyId,
    status: 'ACTIVE',
    createdAt: now,
    made: { sha256, scopes, expiresAt, maker, witnesses, waitMs },
    heard: {},
  };
}
