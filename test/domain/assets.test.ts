import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ASSET_NAMES,
  ASSETS,
  assetAmountOf,
  isAsset,
  loadPerAsset,
  perAsset,
  requireAssetUnits,
} from '../../functions/domain/assets.ts';

describe('the table of assets', () => {
  it('gives each asset a market of its own', () => {
    const markets = Object.values(ASSETS).map(({ market }) => market);

    expect(new Set(markets).size).toBe(markets.length);
  });

  it.each(ASSET_NAMES)('sells an asset only with another asset of the currency %s', (asset) => {
    const { currency } = ASSETS[asset];
    const others = ASSET_NAMES.filter((each) => each !== asset && ASSETS[each].currency === currency);

    expect(others).not.toEqual([]);
  });

  it('names the assets, and no other text is one', () => {
    expect(ASSET_NAMES.every(isAsset)).toBe(true);
    for (const text of ['', 'usdt', 'constructor', '__proto__', 'toString'])
      expect(isAsset(text)).toBe(false);
  });
});

describe('a value for each asset', () => {
  it('is made for every asset', () => {
    expect(perAsset((asset) => asset)).toEqual(Object.fromEntries(ASSET_NAMES.map((name) => [name, name])));
  });

  it('is loaded for all assets or for none', async () => {
    const failing = loadPerAsset(async (asset) => {
      if (asset === 'USDC') throw new Error('no answer');
      return asset;
    });

    expect(await loadPerAsset(async (asset) => asset)).toEqual(perAsset((asset) => asset));
    await expect(failing).rejects.toThrow('no answer');
  });
});

describe.each(ASSET_NAMES)('an amount of %s', (asset) => {
  const { decimals } = ASSETS[asset];

  it('is written with all decimals of the asset, and reads back the same', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 30n), (units) => {
        const text = assetAmountOf(asset, units);
        expect(text).toMatch(new RegExp(`^\\d+\\.\\d{${decimals}}$`));
        if (units < 10n ** BigInt(20 + decimals)) expect(requireAssetUnits(asset, text)).toBe(units);
      }),
    );
  });

  it('is refused with more decimals than the asset has', () => {
    const text = `0.${'0'.repeat(decimals)}1`;

    expect(() => requireAssetUnits(asset, text)).toThrow(`${text} is no amount with ${decimals} decimals`);
  });
});

describe('a source', () => {
  /** These files describe what differs between two assets, or what a partner may write. Examples name one asset. */
  const MAY_NAME_ASSETS = [
    'client/types.ts',
    'functions/domain/assets.ts',
    'sandbox/chain/tokens.ts',
    'sandbox/demo.ts',
    'sandbox/providers/price/books.ts',
  ];

  it('names an asset only where it describes it', () => {
    const named = ['client', 'functions', 'infra', 'operations', 'sandbox']
      .flatMap((folder) => sourcesIn(folder))
      .filter((path) => namesAnAsset(readFileSync(path, 'utf8')));

    expect(named.sort()).toEqual(MAY_NAME_ASSETS);
  });

  function sourcesIn(folder: string): string[] {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    return files.filter((file) => file.endsWith('.ts')).map((file) => join(folder, file));
  }

  function namesAnAsset(text: string): boolean {
    const code = text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
    return ASSET_NAMES.some((asset) => new RegExp(`\\b${asset}\\b`).test(code));
  }
});
