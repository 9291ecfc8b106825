import { describe, expect, it } from 'vitest';
import type { TransferOut } from '../../functions/domain/treasury/outflow-ports.ts';
import type { Match } from '../../functions/domain/treasury/replay.ts';
import {
  asFinal,
  asLost,
  openSettlement,
  type Settlement,
} from '../../functions/domain/treasury/settlement.ts';
import type { Plan } from '../../operations/command.ts';
import type { Desk } from '../../operations/desk.ts';
import { replayCommands } from '../../operations/treasury-replay.ts';
import { anOrder } from '../support/operators.ts';

const AT = Date.UTC(2026, 10, 20, 12);
const HOUR_MS = 3_600_000;
const WALLET = `0x${'aa'.repeat(20)}`;
const CLIENT = `0x${'bb'.repeat(20)}`;
const PAID: TransferOut = {
  txHash: '0x3',
  logIndex: 0,
  wallet: WALLET,
  nonce: 3,
  asset: 'USDC',
  units: 5n,
  to: CLIENT,
  blockNumber: 3,
  nodes: 2,
  asked: 2,
};

/** Two equal purchases, one transfer that paid one of them, and tables with a mark from two hours ago. */
function open() {
  const settlements = new Map<string, Settlement>();
  const world = { used: 10, dieAfter: Number.POSITIVE_INFINITY, settlements };
  const write = async (next: (match: Match) => Settlement, match: Match) => {
    if (world.dieAfter-- === 0) throw new Error('died');
    settlements.set(match.payout.transactionId, next(match));
    return true;
  };
  const of = ({ payout, settlement, transfer: { wallet, nonce, txHash } }: Match) => ({
    ...(settlement ?? openSettlement(payout, 0)),
    wallet,
    nonce,
    txHash,
  });
  const aPurchase = (id: string) => ({
    id,
    status: 'PROCESSING',
    partnerId: 'p',
    clientId: 'c',
    asset: 'USDC',
    walletAddress: CLIENT,
    quote: { assetUnits: 5n },
  });
  const desk = {
    clock: { now: () => AT },
    holds: {
      findMarks: async () => ({
        witness: { at: AT - HOUR_MS, held: { by: 'ana', reason: 'restore', at: AT - HOUR_MS } },
        tables: [{ at: AT - 2 * HOUR_MS }, { at: AT - 2 * HOUR_MS }],
      }),
      catchUp: async () => true,
    },
    unmatchedPayments: { findCursor: async () => AT },
    openPurchases: { listOpen: async () => [aPurchase('P'), aPurchase('Q')] },
    outflows: {
      listTransfers: async () => ({ transfers: [PAID], upTo: AT }),
      findTransfers: async () => [PAID],
      findOwner: async () => undefined,
    },
    moneyCases: { open: async () => true },
    replays: {
      listCounts: async () => [{ address: WALLET, used: world.used, open: false }],
      findSettlement: async (id: string) => settlements.get(id),
      record: (match: Match) => write((each) => asFinal(of(each), each.transfer.blockNumber), match),
      doubt: (match: Match) => write((each) => asLost(of(each)), match),
      advance: async () => {},
    },
  } as unknown as Desk;
  const command = async (name: string, words: string[], flags = {}) => {
    const { run } = replayCommands.find((each) => each.name === name)!;
    return (await run({ words, flags, ask: async () => '' }, desk)) as Plan;
  };
  const replay = (since = AT - 2 * HOUR_MS) =>
    command('treasury replay', [], { since: new Date(since).toISOString() });
  return { world, replay, decide: (...words: string[]) => command('treasury decide', words) };
}

const DOUBTFUL = {
  paid: [],
  doubtful: [
    ['P', '0x3'],
    ['Q', '0x3'],
  ],
};

describe('treasury replay', () => {
  it('puts two equal purchases in doubt if an earlier run died between them', async () => {
    const { world, replay } = open();
    world.dieAfter = 1;
    await expect((await replay()).perform(anOrder())).rejects.toThrow('died');

    const again = await replay();

    expect(again.facts).toMatchObject(DOUBTFUL);
    expect(await again.perform(anOrder())).toEqual(['0 paid, 2 doubtful, 0 unknown.']);
  });

  it('is refused if it would not read all payments since the tables’ mark', async () => {
    const { replay } = open();

    await expect(replay(AT + HOUR_MS)).rejects.toThrow('--since must not be later');
    expect(await replay(AT)).toMatchObject({ facts: DOUBTFUL });
  });
});

describe('treasury decide', () => {
  it('accepts a transfer as the payment after every node shows it as final', async () => {
    const { world, replay, decide } = open();
    await (await replay()).perform(anOrder());
    world.used = 3;

    await expect(decide('P', '0x3')).rejects.toThrow('not final');

    world.used = 4;
    expect(await (await decide('P', '0x3')).perform(anOrder())).toEqual(['P']);
    expect(world.settlements.get('P')).toMatchObject({ state: 'FINAL' });
  });

  it('is refused for a transfer that was confirmed and then lost, because nothing would pay it', async () => {
    const { world, replay, decide } = open();
    await (await replay()).perform(anOrder());
    world.settlements.set('P', { ...world.settlements.get('P')!, confirmedAt: AT } as Settlement);

    await expect(decide('P', 'unpaid')).rejects.toThrow('its transfer was lost later');
  });
});
