import { isSameAddress } from '../../functions/adapters/chain/chain.ts';
import { payKey } from '../../functions/adapters/chain/settlement-rows.ts';
import type { Holdings } from '../../functions/adapters/chain/wallet-register.ts';
import { troubleOf } from '../../functions/domain/hot-wallet.ts';
import { isOver, type Settlement } from '../../functions/domain/settlement.ts';
import { ASSETS } from '../../functions/domain/transaction.ts';
import { type Command, type Given, type Plan, wordsOf } from './command.ts';
import type { Desk } from './desk.ts';
import { holdAll, releaseAll } from './treasury-replay.ts';
import { columns, instant, refused } from './words.ts';

export const walletCommands: Command[] = [
  {
    name: 'treasury wallets',
    takes: '',
    about: 'the hot wallets: gas, tokens, payments on their way, and what keeps one from paying',
    run: listWallets,
  },
  {
    name: 'treasury hold',
    takes: '<address> | --all',
    about: 'takes no more nonces of a wallet: others pay. Of all: nothing is paid, refunded or returned',
    options: ['all'],
    needsReason: true,
    run: holdWallet,
  },
  {
    name: 'treasury release',
    takes: '<address> | --all',
    about: 'lets a wallet pay again that is held, in quarantine or used elsewhere, or all that is held',
    options: ['all'],
    needsReason: true,
    run: releaseWallet,
  },
  {
    name: 'treasury cancel',
    takes: '<transactionId>',
    about: 'ends a payment that is stuck: outbid at its nonce, and refunded once that is final',
    needsReason: true,
    run: cancelPayment,
  },
];

async function cancelPayment(given: Given, { clock, dossier, cancellations }: Desk): Promise<Plan> {
  const [transactionId = ''] = wordsOf(given, 'The transaction’s id');
  const [row] = await dossier.listRows('settlements', [payKey(transactionId)]);
  if (!row) refused(`No payment of ${transactionId} has begun: there is nothing to cancel.`);
  const settlement = row as unknown as Settlement;
  const { state, wallet, nonce, attempts, cancel } = settlement;
  if (isOver(settlement)) refused(`The payment is ${state}: it is too late.`);
  if (cancel) refused(`It is being cancelled already, for ${cancel.reason}.`);
  return {
    subject: transactionId,
    will: [
      `cancel the payment, which is ${state}`,
      nonce === undefined
        ? 'it owns no nonce: its next visit ends it, and the Pix goes back'
        : `nonce ${nonce} of ${wallet}, signed ${attempts.length} times: the chain says how it ends`,
    ],
    facts: { transactionId, state, wallet, nonce },
    async perform() {
      const at = clock.now();
      if (await cancellations.ask(transactionId, { reason: 'SETTLEMENT_CANCELLED', at }))
        return [transactionId];
      return refused('It has moved on meanwhile: look again.');
    },
  };
}

async function listWallets(given: Given, { wallets }: Desk): Promise<string[]> {
  wordsOf(given);
  return columns((await wallets.listWallets()).map(rowOf));
}

function rowOf(wallet: Holdings): string[] {
  const { address, next, latest, quarantine, gas, units } = wallet;
  const tokens = ASSETS.map((asset) => `${decimalOf(units[asset], TOKEN_DECIMALS)} ${asset}`);
  const since = quarantine && `since ${instant(quarantine.at)}`;
  const flying = `${Math.max(next - latest, 0)} on their way`;
  const state = quarantine?.reason === 'OPERATOR' ? 'held by an operator' : (troubleOf(wallet) ?? 'pays');
  return [
    address,
    `${decimalOf(gas, GAS_DECIMALS)} gas`,
    ...tokens,
    flying,
    `next ${next}`,
    state,
    since ?? '',
  ];
}

async function holdWallet(given: Given, desk: Desk): Promise<Plan> {
  if (given.flags.all) return holdAll(given, desk);
  const wallet = await requireWallet(given, desk);
  const { address, next, latest, quarantine, isOpen } = wallet;
  if (!isOpen) refused(`${address} was never used: keep it empty instead.`);
  if (quarantine) refused(`${address} is held already, since ${instant(quarantine.at)}.`);
  return {
    subject: address,
    will: ['take no more nonces of the wallet', `${next - latest} payments of it are on their way and go on`],
    facts: { address, next, latest },
    async perform() {
      const held = { reason: 'OPERATOR', at: desk.clock.now() } as const;
      if (await desk.wallets.quarantine(wallet, held)) return [address];
      return refused('It has moved on meanwhile: look again.');
    },
  };
}

async function releaseWallet(given: Given, desk: Desk): Promise<Plan> {
  if (given.flags.all) return releaseAll(given, desk);
  const wallet = await requireWallet(given, desk);
  const { address, next, latest, quarantine } = wallet;
  if (!quarantine && next >= latest) refused(`Nothing keeps ${address} from paying.`);
  const findings = quarantine ? [`${quarantine.reason} since ${instant(quarantine.at)}`] : [];
  if (quarantine?.nonce !== undefined) findings.push(`nonce ${quarantine.nonce} was used by somebody else`);
  return {
    subject: address,
    will: [
      ...findings,
      `let the wallet pay again, from nonce ${Math.max(next, latest)} on`,
      'whoever else can sign with its key can do it again: make sure that nobody can',
    ],
    facts: { address, next, latest, quarantine },
    async perform() {
      if (await desk.wallets.release(wallet)) return [address];
      return refused('It has moved on meanwhile, or is used in blocks that are not final yet: look again.');
    },
  };
}

async function requireWallet(given: Given, { wallets }: Desk): Promise<Holdings> {
  const [address = ''] = wordsOf(given, 'The wallet’s address');
  const found = (await wallets.listWallets()).find((wallet) => isSameAddress(wallet.address, address));
  return found ?? refused(`${address} is no wallet of this treasury: treasury wallets lists them.`);
}

const GAS_DECIMALS = 18;
const TOKEN_DECIMALS = 6;
/** Nobody funds a wallet by more exact a figure. */
const SHOWN_DECIMALS = 6;

function decimalOf(units: bigint, decimals: number): string {
  const scale = 10n ** BigInt(decimals);
  const rest = String(units % scale)
    .padStart(decimals, '0')
    .slice(0, SHOWN_DECIMALS);
  return `${units / scale}.${rest}`;
}
