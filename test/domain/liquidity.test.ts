import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ASSETS, perAsset } from '../../functions/domain/assets.ts';
import { STATUS_NAMES, type Status } from '../../functions/domain/purchase/status.ts';
import {
  type Float,
  hasRoom,
  isLow,
  promisesOf,
  readingOf,
  requireLiquidity,
  STALE_AFTER_MS,
} from '../../functions/domain/treasury/liquidity.ts';
import { aTransaction, NOW } from '../support/builders.ts';

const UNIT = 10n ** BigInt(ASSETS.USDC.decimals);
const limits = { reserve: '100.5', minimumGas: '0.5', largestPurchase: '300', hourlyPayout: '1000' };
const holdingUnits = (units: bigint) => perAsset((asset) => (asset === 'USDC' ? units : 0n));
const aWallet = (tokens: bigint, gasWei = 10n ** 18n) => ({ gasWei, units: holdingUnits(tokens * UNIT) });
const holding = (...wallets: ReturnType<typeof aWallet>[]) => ({ block: 7, wallets, addresses: ['0xA'] });
const aFloat = (changes: Partial<Float> = {}): Float => ({
  asset: 'USDC',
  room: 100n,
  largest: 1000n,
  hourlyPayout: 1000n * UNIT,
  readAt: NOW,
  block: 7,
  isGasLow: false,
  hotWallets: ['0xA'],
  ...changes,
});

describe('the promised amount', () => {
  const PRICE = 45_566_968n;

  it('is the sum of every charged purchase of the asset that has not ended', () => {
    const all = STATUS_NAMES.map((status) => aTransaction({ status }));
    const other = aTransaction({ asset: 'USDT', status: 'AWAITING_PIX' });

    expect(promisesOf('USDC', [...all, other], [])).toEqual({ promised: 2n * PRICE, over: [] });
    expect(promisesOf('USDT', [...all, other], [])).toEqual({ promised: PRICE, over: [] });
    expect(promisesOf('USDT', [], [])).toEqual({ promised: 0n, over: [] });
  });

  const RELEASED = { promised: 0n, over: [{ id: 'A', units: 50n }] };
  const REPLACED_BY_QUOTE = { ...RELEASED, promised: PRICE };
  const OUTCOMES: Record<Status, ReturnType<typeof promisesOf>> = {
    CREATED: RELEASED,
    // The reservation is deducted apart from the promises, so it counts once.
    AWAITING_MFA: { promised: 0n, over: [] },
    AWAITING_PIX: REPLACED_BY_QUOTE,
    PROCESSING: REPLACED_BY_QUOTE,
    COMPLETED: RELEASED,
    FAILED: RELEASED,
    EXPIRED: RELEASED,
    CANCELED: RELEASED,
  };

  it.each(STATUS_NAMES)(
    'counts a purchase in %s once: by its reservation, by its quote, or not at all',
    (status) => {
      const reserved = [{ id: 'A', units: 50n }];

      const found = promisesOf('USDC', [aTransaction({ id: 'A', status })], reserved);

      expect(found).toEqual(OUTCOMES[status]);
    },
  );

  it('ignores a reservation whose purchase no longer exists', () => {
    expect(promisesOf('USDC', [], [{ id: 'A', units: 50n }])).toEqual({
      promised: 0n,
      over: [{ id: 'A', units: 50n }],
    });
  });
});

describe('a reading', () => {
  it('is the balance on the chain minus promises and reserve', () => {
    expect(
      readingOf('USDC', { holdings: holding(aWallet(1000n)), promised: 200n * UNIT, limits }, NOW),
    ).toEqual({
      asset: 'USDC',
      free: 699_500_000n,
      largest: 300n * UNIT,
      hourlyPayout: 1000n * UNIT,
      readAt: NOW,
      block: 7,
      isGasLow: false,
      hotWallets: ['0xA'],
    });
  });

  it('is negative if more is promised than there is', () => {
    const none = { ...limits, reserve: '0' };

    expect(readingOf('USDT', { holdings: holding(aWallet(1n)), promised: 5n, limits: none }, NOW).free).toBe(
      -5n,
    );
  });

  it.each([
    ['what one wallet has', [1000n], 1000n, 300n],
    ['what one small wallet has', [40n], 40n, 40n],
    ['of two all but what may be left in one and pay nobody', [1000n, 500n], 1200n, 300n],
    ['nothing of a wallet that cannot pay what the other can', [1000n, 300n, 7n], 1000n, 300n],
    ['of small wallets the largest alone', [40n, 40n, 10n], 40n, 40n],
    ['nothing without wallets', [], 0n, 0n],
  ])('counts %s', (_, wallets, payable, largest) => {
    const holdings = holding(...wallets.map((units) => aWallet(units)));
    const none = { ...limits, reserve: '0' };

    expect(readingOf('USDC', { holdings, promised: 0n, limits: none }, NOW)).toMatchObject({
      free: payable * UNIT,
      largest: largest * UNIT,
    });
  });

  // docs/decisions.md, "Quotes and open promises"
  it('never promises what the wallets could not pay, in any order of purchases and wallets', () => {
    const none = { ...limits, reserve: '0', minimumGas: '0', largestPurchase: '0.000007' };
    const someWallets = fc.array(fc.bigInt(0n, 30n), { minLength: 1, maxLength: 4 });
    const purchases = fc.array(fc.tuple(fc.bigInt(1n, 7n), fc.nat()), { minLength: 50, maxLength: 50 });
    fc.assert(
      fc.property(someWallets, purchases, (wallets, wanted) => {
        const held = wallets.map((units) => ({ gasWei: 0n, units: holdingUnits(units) }));
        const holdings = { block: 1, wallets: held, addresses: ['0xA'] };
        let { free: room, largest } = readingOf('USDC', { holdings, promised: 0n, limits: none }, NOW);
        for (const [units, choice] of wanted) {
          if (units > largest || units > room) continue;
          const able = wallets.flatMap((left, index) => (left >= units ? [index] : []));
          expect(able).not.toEqual([]);
          wallets[able[choice % able.length]!]! -= units;
          room -= units;
        }
      }),
    );
  });

  it.each([
    [5n * 10n ** 17n, false],
    [5n * 10n ** 17n - 1n, true],
  ])('treats %d wei of gas as low: %s', (gasWei, isGasLow) => {
    const holdings = holding(aWallet(1000n, gasWei));

    expect(readingOf('USDC', { holdings, promised: 0n, limits }, NOW).isGasLow).toBe(isGasLow);
  });

  it('ignores a wallet without gas, and reports low gas when no wallet has any', () => {
    const holdings = holding(aWallet(1000n, 1n), aWallet(150n));

    expect(readingOf('USDC', { holdings, promised: 0n, limits }, NOW)).toMatchObject({
      free: 49_500_000n,
      largest: 150n * UNIT,
      isGasLow: false,
    });
  });

  it('refuses limits that are not amounts', () => {
    const wrong = { ...limits, minimumGas: 'much' };

    expect(() => readingOf('USDC', { holdings: holding(), promised: 0n, limits: wrong }, NOW)).toThrow(
      'much',
    );
  });
});

describe('room for a purchase', () => {
  it.each([
    ['there is, to the last unit', aFloat(), 100n, true],
    ['there is none for one unit more', aFloat(), 101n, false],
    ['there is none for more than one wallet can pay', aFloat({ largest: 99n }), 100n, false],
    ['there is none where too much is promised, even for nothing', aFloat({ room: -1n }), 0n, false],
    ['there is none where nobody knows our own wallets', aFloat({ hotWallets: [] }), 1n, false],
    ['there is none without gas', aFloat({ isGasLow: true }), 1n, false],
    ['there is none while it is paused', aFloat({ paused: { by: 'ana', reason: 'x', at: 1 } }), 1n, false],
    ['there is none where nothing was ever read', undefined, 1n, false],
    ['there is while the reading is young', aFloat({ readAt: NOW - STALE_AFTER_MS }), 1n, true],
    ['there is none once it is old', aFloat({ readAt: NOW - STALE_AFTER_MS - 1 }), 1n, false],
  ])('%s', (_, float, units, expected) => {
    expect(hasRoom(float, units, NOW)).toBe(expected);
  });

  it('is refused with a waiting time if there is none', () => {
    expect(() => requireLiquidity(false)).toThrow(
      expect.objectContaining({ code: 'LIQUIDITY_UNAVAILABLE', details: { retryAfterSeconds: 60 } }),
    );
    expect(() => requireLiquidity(true)).not.toThrow();
  });

  it.each([
    [300_000_000n, false, undefined, false],
    [299_999_999n, false, undefined, true],
    [-1n, false, undefined, true],
    [300_000_000n, true, undefined, true],
    [599_999_999n, false, NOW, true],
    [600_000_000n, false, NOW, false],
  ])('of %d, with low gas %s, low since %s, needs a person: %s', (room, isGasLow, lowSince, expected) => {
    expect(isLow({ asset: 'USDC', room, isGasLow, lowSince }, limits)).toBe(expected);
  });
});
