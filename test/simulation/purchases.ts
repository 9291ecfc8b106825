import { getAddress } from 'ethers/address';
import { ASSET_NAMES, type Asset } from '../../functions/domain/assets.ts';
import type { Caps } from '../../functions/domain/partners/caps.ts';
import { diceOf } from './dice.ts';

/**
 * The kinds of buyers: a behaviour, or an event that the buyer meets. Faults come in addition. The weights are roughly
 * percentages.
 */
export const KINDS = [
  ['ordinary', 36],
  ['wrong payer', 6],
  ['wrong amount', 6],
  ['paid just in time', 5],
  ['paid just too late', 5],
  ['paid during the closing', 6],
  ['paid twice', 6],
  ['unknown txid', 3],
  ['no txid', 3],
  ["another's txid", 3],
  ['never paid', 4],
  ['never authenticated', 4],
  ['wallet refused after payment', 4],
  ['client refused after payment', 4],
  ['client refused while settling', 4],
  ['client refused once sent', 6],
  ['destination blacklisted', 4],
  ['destination blacklisted once sent', 4],
  ['refund refused by the provider', 5],
  ['canceled during the charge', 5],
  ['blocked before the charge', 3],
  ['blocked after payment', 3],
  ['hoards quotes', 1],
  ['thief with many CPFs', 3],
  ['thief with one CPF', 4],
] as const;
export type Kind = (typeof KINDS)[number][0];

/** The ways in which a buyer uses a quote. */
const QUOTINGS = [
  ['none', 60],
  ['in time', 12],
  ['by tokens', 6],
  ['twice at once', 6],
  ['at its end', 6],
  ['too late', 4],
  ['of another partner', 3],
  ['for other terms', 3],
] as const;

/** The partners of a world. Hoarders and some thieves buy at the second one. */
export const PARTNERS = ['demo', 'other'] as const;

/** One client, and the purchase that the client is going to make. */
export type Plan = {
  index: number;
  scope: string;
  kind: Kind;
  partnerId: (typeof PARTNERS)[number];
  quoting: (typeof QUOTINGS)[number][0];
  arrivesAfterMs: number;
  clientId: string;
  kycToken: string;
  cpf: string;
  otherCpf: string;
  totpSecret: string;
  amountCentavos: number;
  asset: Asset;
  wallet: string;
  /** The number of refunds that the provider refuses. */
  refusals: number;
  /**
   * True when the client is known by a token of the partner's KYC vendor. The partner submits the token before the
   * purchase.
   */
  isVouchedFor: boolean;
  /** The caps that operators changed for the client. */
  limits?: Partial<Caps>;
  /** True when a person blocks the client at all partners, at some moment after the arrival. */
  isFraud: boolean;
  /** True when the client waits with the payment, as somebody does who hopes that the market rises. */
  isPatient: boolean;
};

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const hex = (length: number, next: () => number) =>
  Array.from({ length }, () => Math.floor(next() * 16).toString(16)).join('');

export function planOf(seed: string, index: number, spanMs: number): Plan {
  const scope = `p${index}`;
  const dice = diceOf(seed, scope, 'plan');
  const kind = dice.pick(KINDS);
  const clientId = `client-${index}-${hex(8, dice.next)}`;
  return {
    index,
    scope,
    kind,
    clientId,
    kycToken: `kyc_${clientId}`,
    arrivesAfterMs: dice.within(0, spanMs),
    cpf: cpfOf(dice.within(100_000_000, 499_999_999)),
    otherCpf: cpfOf(dice.within(500_000_000, 699_999_999)),
    totpSecret: Array.from({ length: 32 }, () => BASE32[Math.floor(dice.next() * 32)]).join(''),
    amountCentavos: dice.within(kind === 'hoards quotes' ? 1_500_00 : 100_00, 2_000_00),
    asset: ASSET_NAMES[dice.within(0, ASSET_NAMES.length - 1)]!,
    wallet: getAddress(`0x${hex(40, dice.next)}`),
    refusals: kind === 'refund refused by the provider' ? dice.within(1, 8) : 0,
    isVouchedFor: dice.isBelow(0.3) && kind !== 'hoards quotes',
    partnerId: kind === 'hoards quotes' ? 'other' : 'demo',
    quoting: diceOf(seed, scope, 'quoting').pick(QUOTINGS),
    isFraud: false,
    isPatient: false,
  };
}

/** Adds the two check digits to nine digits. */
function cpfOf(nine: number): string {
  const digits = String(nine).split('').map(Number);
  for (const length of [9, 10]) {
    const sum = digits.slice(0, length).reduce((total, digit, at) => total + digit * (length + 1 - at), 0);
    digits.push(((sum * 10) % 11) % 10);
  }
  return digits.join('');
}
