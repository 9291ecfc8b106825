import { getAddress } from 'ethers/address';
import { ASSET_NAMES, type Asset } from '../../functions/domain/assets.ts';
import { diceOf } from './dice.ts';

/**
 * The kinds of buyers: a behaviour, or an event that the buyer meets. Faults come in addition. The weights are roughly
 * percentages.
 */
export const KINDS = [
  ['ordinary', 24],
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
] as const;
export type Kind = (typeof KINDS)[number][0];

/** One client, and the purchase that the client is going to make. */
export type Plan = {
  index: number;
  scope: string;
  kind: Kind;
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
    amountCentavos: dice.within(100_00, 2_000_00),
    asset: ASSET_NAMES[dice.within(0, ASSET_NAMES.length - 1)]!,
    wallet: getAddress(`0x${hex(40, dice.next)}`),
    refusals: kind === 'refund refused by the provider' ? dice.within(1, 8) : 0,
    isVouchedFor: dice.isBelow(0.3),
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
