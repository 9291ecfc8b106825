import { isSameAddress } from '../functions/adapters/chain/chain.ts';
import { toSettlement } from '../functions/adapters/dynamodb/settlement-parser.ts';
import { payKey } from '../functions/adapters/dynamodb/settlement-rows.ts';
import { ASSET_NAMES, ASSETS } from '../functions/domain/assets.ts';
import { decimalOf, GAS_DECIMALS } from '../functions/domain/money.ts';
import { HOLD_EFFECT, HOLD_WORDS, type Hold } from '../functions/domain/treasury/hold.ts';
import { troubleOf } from '../functions/domain/treasury/hot-wallet.ts';
import { isOver } from '../functions/domain/treasury/settlement.ts';
import { type Command, type Given, type Plan, requireWords } from './command.ts';
import type { Desk } from './desk.ts';
import { wholeId } from './purchase-search.ts';
import type { Table } from './shown.ts';
import type { WalletHoldings } from './stores/wallet-register.ts';
import { holdAll, releaseAll } from './treasury-replay.ts';
import { instant, refuseOrder } from './words.ts';

export const walletCommands: Command[] = [
  {
    name: 'treasury wallets',
    takes: '',
    about: 'the hot wallets with gas, tokens, open payments, and any hold',
    run: listWallets,
  },
  {
    name: 'treasury hold',
    takes: '<address> | --all',
    about: `stops a wallet, so that others pay; with --all, ${HOLD_EFFECT}`,
    options: ['all'],
    needsReason: true,
    run: holdWallet,
  },
  {
    name: 'treasury release',
    takes: '<address> | --all',
    about: 'lets a held or quarantined wallet pay again; with --all, ends the hold of all money',
    options: ['all'],
    needsReason: true,
    run: releaseWallet,
  },
  {
    name: 'treasury cancel',
    takes: '<transactionId>',
    about: 'ends a stuck payment: its nonce is used otherwise, and the Pix is refunded once that is final',
    needsReason: true,
    run: requestCancel,
  },
];

async function requestCancel(given: Given, desk: Desk): Promise<Plan> {
  const { dossier, cancellations } = desk;
  const [text] = requireWords(given, 'The transaction’s id');
  const transactionId = await wholeId(text, desk);
  const [row] = await dossier.listRows('settlements', [payKey(transactionId)]);
  if (!row) refuseOrder(`No payment of ${transactionId} has begun: there is nothing to cancel.`);
  const settlement = toSettlement(row);
  const { state, wallet, nonce, attempts, cancel } = settlement;
  const isDone = cancel !== undefined && cancel.at === given.resumed?.at;
  if (isOver(settlement) && !isDone) refuseOrder(`The payment is ${state}: it is too late.`);
  if (cancel && !isDone) refuseOrder(`It is being cancelled already, for ${cancel.reason}.`);
  return {
    subject: transactionId,
    will: [
      `cancel the payment, which is ${state}`,
      nonce === undefined
        ? 'it owns no nonce: its next visit ends it, and the Pix is refunded'
        : `nonce ${nonce} of ${wallet}, signed ${attempts.length} times: the chain decides how it ends`,
    ],
    facts: { transactionId, state, wallet, nonce },
    before: { wallet, nonce },
    after: { cancel: 'SETTLEMENT_CANCELLED' },
    isDone,
    async perform({ at }) {
      if (await cancellations.ask(transactionId, { reason: 'SETTLEMENT_CANCELLED', at }))
        return [`The cancel of ${transactionId} is ordered. tx show tells how the payment ends.`];
      return refuseOrder('The state has changed meanwhile: look again.');
    },
  };
}

async function listWallets(given: Given, { wallets, holds }: Desk): Promise<Table> {
  requireWords(given);
  const [found, hold] = await Promise.all([wallets.listWallets(), holds.findHold()]);
  const ofAll = hold ? await holdsOfAll(hold, holds) : [];
  const rows = found.map((wallet) => walletCells(wallet, ofAll));
  const head = ['wallet', 'gas', ...ASSET_NAMES, 'sending', 'nonce', 'state', 'because'];
  return { head, rows, empty: 'The stage has no wallet.' };
}

/** Says since when and why all money is held: no payment takes a nonce, and nothing goes back. */
export async function holdsOfAll(hold: Hold, holds: Desk['holds']): Promise<string[]> {
  const { witness, tables } = await holds.findMarks();
  const found = witness.held
    ? [`all money ${sinceWords({ ...witness.held, why: witness.held.reason })}`]
    : [];
  if (hold !== 'RESTORED') return found;
  const markedAt = Math.min(...tables.map(({ at = Number.NEGATIVE_INFINITY }) => at));
  const asOf = Number.isFinite(markedAt) ? `, as of ${instant(markedAt)}` : '';
  return [`all money: ${HOLD_WORDS.RESTORED}${asOf}`, ...found];
}

function sinceWords({ at, by, why }: { at: number; by?: string; why?: string }): string {
  return [`since ${instant(at)}`, by && `by ${by}${why ? `: ${why}` : ''}`].filter(Boolean).join(' ');
}

function walletCells(wallet: WalletHoldings, ofAll: string[]): string[] {
  const { address, next, latest, gas, units } = wallet;
  const tokens = ASSET_NAMES.map(
    (asset) => `${shortDecimalOf(units[asset], ASSETS[asset].decimals)} ${asset}`,
  );
  return [
    address,
    `${shortDecimalOf(gas, GAS_DECIMALS)} gas`,
    ...tokens,
    `${Math.max(next - latest, 0)} on their way`,
    `next ${next}`,
    ...walletState(wallet, ofAll),
  ];
}

/** Whether the wallet pays. If it does not, since when and why. */
function walletState(wallet: WalletHoldings, ofAll: string[]): [string, string] {
  const { quarantine } = wallet;
  const isHeld = quarantine?.reason === 'OPERATOR';
  const trouble = troubleOf(wallet);
  const since = quarantine ? sinceWords(quarantine) : '';
  if (ofAll.length === 0 && !isHeld) return [trouble ?? 'pays', since];
  const ofThis = isHeld ? [`this wallet ${since}`] : trouble ? [`${trouble} ${since}`.trimEnd()] : [];
  return ['held', [...ofAll, ...ofThis].join('; ')];
}

async function holdWallet(given: Given, desk: Desk): Promise<Plan> {
  if (given.flags.all) return holdAll(given, desk);
  const wallet = await requireWallet(given, desk);
  const { address, next, latest, quarantine, isOpen } = wallet;
  if (!isOpen) refuseOrder(`${address} was never used: keep it empty instead.`);
  if (quarantine) refuseOrder(`${address} is held already, ${sinceWords(quarantine)}.`);
  return {
    subject: address,
    will: ['assign no more nonces of the wallet', `its ${next - latest} open payments go on`],
    facts: { address, next, latest },
    before: {},
    after: { quarantine: 'OPERATOR' },
    async perform({ by, at, reason: why }) {
      const held = { reason: 'OPERATOR', at, by, why } as const;
      if (await desk.wallets.quarantine(wallet, held)) return [`The wallet ${address} is held.`];
      return refuseOrder('The state has changed meanwhile: look again.');
    },
  };
}

async function releaseWallet(given: Given, desk: Desk): Promise<Plan> {
  if (given.flags.all) return releaseAll(given, desk);
  const wallet = await requireWallet(given, desk);
  const { address, next, latest, quarantine } = wallet;
  const isDone = given.resumed !== undefined && !quarantine && next >= latest;
  if (!quarantine && next >= latest && !isDone) refuseOrder(`${address} can pay already.`);
  const findings = quarantine ? [`${quarantine.reason} ${sinceWords(quarantine)}`] : [];
  if (quarantine?.reason === 'NONCE_USED_ELSEWHERE')
    findings.push(`nonce ${quarantine.nonce} was used by another signer`);
  return {
    subject: address,
    will: [
      ...findings,
      `let the wallet pay again, from nonce ${Math.max(next, latest)} on`,
      'another signer with its key could do it again: make sure that there is none',
    ],
    facts: { address, next, latest, quarantine },
    before: { quarantine },
    after: {},
    isDone,
    async perform() {
      if (await desk.wallets.release(wallet)) return [`The wallet ${address} is released.`];
      return refuseOrder(
        'The state has changed meanwhile, or the wallet is used in blocks that are not final: look again.',
      );
    },
  };
}

async function requireWallet(given: Given, { wallets }: Desk): Promise<WalletHoldings> {
  const [address] = requireWords(given, 'The wallet’s address');
  const found = (await wallets.listWallets()).find((wallet) => isSameAddress(wallet.address, address));
  return found ?? refuseOrder(`${address} is no wallet of this treasury: treasury wallets lists them.`);
}

/** Shows at most six decimals, rounded down. Smaller fractions do not matter when funding a wallet. */
export function shortDecimalOf(units: bigint, decimals: number): string {
  return decimalOf(units, decimals).replace(/(\.\d{6})\d+$/, '$1');
}
