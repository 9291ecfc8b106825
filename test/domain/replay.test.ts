import { describe, expect, test } from 'vitest';
import type { TransferOut } from '../../functions/domain/treasury/outflow-ports.ts';
import { type FoundTransfer, matchTransfers, type Unpaid } from '../../functions/domain/treasury/replay.ts';
import {
  type Assigned,
  asFinal,
  openSettlement,
  type Requested,
  withNonce,
} from '../../functions/domain/treasury/settlement.ts';

const WALLET = `0x${'Aa'.repeat(20)}`;
const CLIENT = `0x${'Bb'.repeat(20)}`;
const COUNTS = new Map([[WALLET.toLowerCase(), 10]]);

function aTransfer(nonce: number | undefined, changes: Partial<TransferOut> = {}): TransferOut {
  return {
    txHash: `0x${nonce}`,
    logIndex: 0,
    wallet: WALLET,
    nonce,
    asset: 'USDC',
    units: 5n,
    to: CLIENT,
    blockNumber: nonce ?? 0,
    nodes: 2,
    asked: 2,
    ...changes,
  };
}

const aPurchase = (transactionId: string, changes: Partial<Unpaid['payout']> = {}): Unpaid => ({
  payout: { transactionId, asset: 'USDC', units: 5n, to: CLIENT.toLowerCase(), ...changes },
});

const owning = ({ payout }: Unpaid, wallet: string, nonce: number): Assigned =>
  withNonce(openSettlement(payout, 0), wallet, nonce);

function matched(found: FoundTransfer[], unpaid: Unpaid[]) {
  const { paid, doubtful, unknown } = matchTransfers(found, unpaid, COUNTS);
  const plain = (matches: typeof paid) =>
    matches.map(({ payout, transfer }) => [payout.transactionId, transfer.txHash]);
  return { paid: plain(paid), doubtful: plain(doubtful), unknown: unknown.map(({ txHash }) => txHash) };
}

const none = { paid: [], doubtful: [], unknown: [] };

describe('a transfer that the tables do not know', () => {
  test('paid the only purchase of its address, asset and units', () => {
    const others = [
      aPurchase('Q', { units: 6n }),
      aPurchase('R', { asset: 'USDT' }),
      aPurchase('S', { to: WALLET }),
    ];

    expect(matched([{ transfer: aTransfer(3) }], [...others, aPurchase('P')])).toEqual({
      ...none,
      paid: [['P', '0x3']],
    });
  });

  test('paid one purchase each if there are as many transfers as purchases, in the order of the chain', () => {
    const found = [{ transfer: aTransfer(4) }, { transfer: aTransfer(3) }];

    expect(matched(found, [aPurchase('P'), aPurchase('Q')]).paid).toEqual([
      ['P', '0x3'],
      ['Q', '0x4'],
    ]);
  });

  test('leaves all purchases in doubt if there are fewer transfers, because another may be refunded', () => {
    expect(matched([{ transfer: aTransfer(3) }], [aPurchase('P'), aPurchase('Q')])).toEqual({
      ...none,
      doubtful: [
        ['P', '0x3'],
        ['Q', '0x3'],
      ],
    });
  });

  test('belongs to no purchase if none matches, or all are taken', () => {
    const found = [{ transfer: aTransfer(3) }, { transfer: aTransfer(4) }];

    expect(matched(found, [])).toEqual({ ...none, unknown: ['0x3', '0x4'] });
    expect(matched(found, [aPurchase('P')])).toEqual({ ...none, paid: [['P', '0x3']], unknown: ['0x4'] });
  });

  test('belongs to no purchase if no wallet of ours sent it', () => {
    const { unknown } = matched([{ transfer: aTransfer(undefined) }], [aPurchase('P')]);

    expect(unknown).toEqual(['0xundefined']);
  });

  test('belongs to a purchase only if that purchase’s own nonce can no longer be used', () => {
    const waiting = { ...aPurchase('P'), settlement: owning(aPurchase('P'), WALLET, 10) };
    const reverted = { ...aPurchase('Q'), settlement: owning(aPurchase('Q'), WALLET, 9) };

    expect(matched([{ transfer: aTransfer(3) }], [waiting])).toEqual({ ...none, unknown: ['0x3'] });
    expect(matched([{ transfer: aTransfer(3) }], [reverted]).paid).toEqual([['Q', '0x3']]);
  });
});

describe('a transfer at a nonce of the books', () => {
  const purchase = aPurchase('P');

  test('paid the owner of the nonce, even by bytes that the books do not have', () => {
    const settlement = withNonce(openSettlement(purchase.payout, 0), WALLET.toLowerCase(), 3);
    const found = [{ transfer: aTransfer(3), owner: settlement }];

    expect(matched(found, [{ ...purchase, settlement }, aPurchase('Q')])).toEqual({
      ...none,
      paid: [['P', '0x3']],
    });
  });

  test('paid the owner of the nonce even if its try was ended as one that others replaced', () => {
    const settlement: Requested = { ...openSettlement(purchase.payout, 0), tries: ['NONCE_USED_ELSEWHERE'] };

    expect(
      matched([{ transfer: aTransfer(3), owner: settlement }], [{ ...purchase, settlement }]).paid,
    ).toEqual([['P', '0x3']]);
  });

  test.each<[string, Partial<TransferOut>, string, number]>([
    ['it sent other units', { units: 6n }, WALLET, 3],
    ['its owner has another nonce', {}, WALLET, 4],
    ['its owner has it of another wallet', {}, CLIENT, 3],
  ])('needs a person if %s', (_, transfer, wallet, nonce) => {
    const owner = owning(purchase, wallet, nonce);
    const found = [{ transfer: aTransfer(3, transfer), owner }];

    expect(matched(found, [{ ...purchase, settlement: owner }])).toEqual({ ...none, unknown: ['0x3'] });
  });

  test('is known if it is recorded, and needs a person if another transfer is recorded', () => {
    const owner = asFinal({ ...owning(purchase, WALLET, 3), txHash: '0x3' }, 3);

    expect(matched([{ transfer: aTransfer(3), owner }], [])).toEqual(none);
    expect(matched([{ transfer: aTransfer(4), owner }], [])).toEqual({ ...none, unknown: ['0x4'] });
  });
});
