import { randomBytes, randomInt } from 'node:crypto';
import { generatePixPayload } from '@brazilian-utils/brazilian-utils/generate-pix-payload';
import { getAt } from '../../../functions/domain/get.ts';
import type { World } from '../world.ts';
import type { ReceivedPix } from './received-pix.ts';
import type { ChargeTerms } from './validate.ts';

type ChargeStatus = 'ATIVA' | 'CONCLUIDA' | 'REMOVIDA_PELO_USUARIO_RECEBEDOR' | 'REMOVIDA_PELO_PSP';

/** A stored immediate charge. Its last revision holds the current terms. */
export type Charge = {
  txid: string;
  criacao: string;
  status: ChargeStatus;
  loc: { id: number; location: string };
  revisions: ChargeTerms[];
  /** The ids of the Pix payments that the charge accepted. */
  accepted?: string[];
};

export const currentTerms = (charge: Charge): ChargeTerms =>
  getAt(charge.revisions, charge.revisions.length - 1);

export function openCharge(txid: string, terms: ChargeTerms, world: World): Charge {
  const location = `${world.settings.psp.locationBase}/${randomBytes(16).toString('hex')}`;
  return {
    txid,
    criacao: world.now().toISOString(),
    status: 'ATIVA',
    loc: { id: randomInt(1, 2 ** 31), location },
    revisions: [terms],
  };
}

/**
 * Adds a revision if the terms differ from the current ones. Source: API Pix, `revisao`: "sempre varia em
 * acréscimos de 1".
 */
export function revise(charge: Charge, terms: ChargeTerms): Charge {
  if (JSON.stringify(terms) === JSON.stringify(currentTerms(charge))) return charge;
  return { ...charge, revisions: [...charge.revisions, terms] };
}

/**
 * Removes a charge, which adds a revision. Source: API Pix, PATCH /cob/{txid}: "a revisão deve ser
 * incrementada em 1".
 */
export function removeCharge(charge: Charge): Charge {
  const revisions = [...charge.revisions, currentTerms(charge)];
  return { ...charge, revisions, status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' };
}

/**
 * True if the charge accepts a payment. API Pix has no status for an expired charge: it stays ATIVA but
 * refuses payments. A charge's lifetime is in real seconds, as at any PSP, even if a sandbox has shorter
 * minutes. The service then requests a shorter lifetime.
 */
export function isPayable(charge: Charge, world: World): boolean {
  return charge.status === 'ATIVA' && world.now().getTime() < endOf(charge);
}

/** The instant when the charge expires, in epoch milliseconds. */
export const endOf = (charge: Charge): number =>
  Date.parse(charge.criacao) + currentTerms(charge).calendario.expiracao * 1000;

type ChargeView = { revisao?: number; copiaECola?: boolean; pix?: ReceivedPix[] };

/** Shows a charge as API Pix's `CobGerada`. With `pix` it is API Pix's `CobCompleta`. */
export function renderCharge(charge: Charge, world: World, view: ChargeView = {}): Record<string, unknown> {
  const revisao = view.revisao ?? charge.revisions.length - 1;
  const { calendario, ...terms } = getAt(charge.revisions, revisao);
  const { id, location } = charge.loc;
  return {
    calendario: { criacao: charge.criacao, ...calendario },
    txid: charge.txid,
    revisao,
    loc: { id, location, tipoCob: 'cob', criacao: charge.criacao },
    location,
    status: charge.status,
    ...terms,
    ...(view.copiaECola !== false && { pixCopiaECola: brCode(location, world) }),
    ...(view.pix && view.pix.length > 0 && { pix: view.pix }),
  };
}

export function brCode(location: string, { settings }: World): string {
  const { merchantName, merchantCity } = settings.psp;
  const payload = generatePixPayload({ url: location, merchantName, merchantCity });
  if (payload === null) throw new Error(`no BR Code can carry the location ${location}`);
  return payload;
}
