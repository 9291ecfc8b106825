import { describe, expect, test } from 'vitest';
import type { TransferOut } from '../../functions/domain/treasury/outflow-ports.ts';
import { type Found, matchTransfers, type Unpaid } from '../../functions/domain/treasury/replay.ts';
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
    ...{ txHash: `0x${nonce}`, logIndex: 0, wallet: WALLET, nonce, asset: 'USDC', units: 5n, to: CLIENT },
    ...{ blockNumber: nonce ?? 0, nodes: 2, asked: 2, ...changes },
  };
}

const aPurchase = (transactionId: string, changes: Partial<Unpaid['payout']> = {}): Unpaid => ({
  payout: { transactionId, asset: 'USDC', units: 5n, to: CLIENT.toLowerCase(), ...changes },
});

const owning = ({ payout }: Unpaid, wallet: string, nonce: number): Assigned =>
  withNonce(openSettlement(payout), wallet, nonce);

function matched(found: Found[], unpaid: Unpaid[]) {
  const { paid, doubtful, unknown } = matchTransfers(found, unpaid, COUNTS);
  const plain = (matches: typeof paid) =>
    matches.map(({ payout, transfer }) => [payout.transactionId, transfer.txHash]);
  return { paid: plain(paid), doubtful: plain(doubtful), unknown: unknown.map(({ txHash }) => txHash) };
}

const none = { paid: [], doubtful: [], unknown: [] };

describe('a transfer that the tables do not know', () => {
  test('paid the one purchase of its address, asset and units', () => {
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

  test('and as many as there are purchases paid one each, in the order of the chain', () => {
    const found = [{ transfer: aTransfer(4) }, { transfer: aTransfer(3) }];

    expect(matched(found, [aPurchase('P'), aPurchase('Q')]).paid).toEqual([
      ['P', '0x3'],
      ['Q', '0x4'],
    ]);
  });

  test('leaves all in doubt where fewer were made than purchases are open: another may be refunded', () => {
    expect(matched([{ transfer: aTransfer(3) }], [aPurchase('P'), aPurchase('Q')])).toEqual({
      ...none,
      doubtful: [
        ['P', '0x3'],
        ['Q', '0x3'],
      ],
    });
  });

  test('is of nobody where there is no such purchase, or none is left', () => {
    const found = [{ transfer: aTransfer(3) }, { transfer: aTransfer(4) }];

    expect(matched(found, [])).toEqual({ ...none, unknown: ['0x3', '0x4'] });
    expect(matched(found, [aPurchase('P')])).toEqual({ ...none, paid: [['P', '0x3']], unknown: ['0x4'] });
  });

  test('is of nobody where no wallet of ours sent it', () => {
    const { unknown } = matched([{ transfer: aTransfer(undefined) }], [aPurchase('P')]);

    expect(unknown).toEqual(['0xundefined']);
  });

  test('is not of a purchase whose own nonce may yet be used, and may be of one whose nonce is', () => {
    const waiting = { ...aPurchase('P'), settlement: owning(aPurchase('P'), WALLET, 10) };
    const reverted = { ...aPurchase('Q'), settlement: owning(aPurchase('Q'), WALLET, 9) };

    expect(matched([{ transfer: aTransfer(3) }], [waiting])).toEqual({ ...none, unknown: ['0x3'] });
    expect(matched([{ transfer: aTransfer(3) }], [reverted]).paid).toEqual([['Q', '0x3']]);
  });
});

describe('a transfer at a nonce that the books gave out', () => {
  const purchase = aPurchase('P');

  test('paid its owner, also by bytes that the books do not know', () => {
    const settlement = withNonce(openSettlement(purchase.payout), WALLET.toLowerCase(), 3);
    const found = [{ transfer: aTransfer(3), owner: settlement }];

    expect(matched(found, [{ ...purchase, settlement }, aPurchase('Q')])).toEqual({
      ...none,
      paid: [['P', '0x3']],
    });
  });

  test('paid its owner also where the try was ended since, as one that others took the nonce of', () => {
    const settlement: Requested = { ...openSettlement(purchase.payout), tries: ['NONCE_USED_ELSEWHERE'] };

    expect(
      matched([{ transfer: aTransfer(3), owner: settlement }], [{ ...purchase, settlement }]).paid,
    ).toEqual([['P', '0x3']]);
  });

  test.each<[string, Partial<TransferOut>, string, number]>([
    ['it sent other units', { units: 6n }, WALLET, 3],
    ['its owner has another nonce', {}, WALLET, 4],
    ['its owner has it of another wallet', {}, CLIENT, 3],
  ])('is a person’s where %s', (_, transfer, wallet, nonce) => {
    const owner = owning(purchase, wallet, nonce);
    const found = [{ transfer: aTransfer(3, transfer), owner }];

    expect(matched(found, [{ ...purchase, settlement: owner }])).toEqual({ ...none, unknown: ['0x3'] });
  });

  test('is no news where it is recorded, and a person’s where another is', () => {
    const owner = asFinal({ ...owning(purchase, WALLET, 3), txHash: '0x3' }, 3);

    expect(matched([{ transfer: aTransfer(3), owner }], [])).toEqual(none);
    expect(matched([{ transfer: aTransfer(4), owner }], [])).toEqual({ ...none, unknown: ['0x4'] });
  });
});
