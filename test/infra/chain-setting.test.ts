import { App } from 'aws-cdk-lib/core';
import { describe, expect, it } from 'vitest';
import { ASSET_NAMES, BLOCK_LISTS, type PerAsset } from '../../functions/domain/assets.ts';
import type { StageAsset } from '../../infra/assets.ts';
import { readContext, readSettings } from '../../infra/settings.ts';

type Assets = { production: PerAsset<StageAsset> };
const { production: POLYGON } = readContext().assets as Assets;

async function tokensOf(changes: Partial<Record<keyof StageAsset, unknown>>) {
  const production = { ...POLYGON, USDT: { ...POLYGON.USDT, ...changes } };
  const app = new App({ context: { ...readContext(), stage: 'production', assets: { production } } });
  return (await readSettings(app.node)).chain.tokens;
}

const { contract } = POLYGON.USDT;

describe('the transfers of one wallet in flight', () => {
  const chainWith = async (maxInFlight: unknown) => {
    const context = readContext();
    const { production } = context.chain as { production: object };
    const chain = { production: { ...production, maxInFlight } };
    return (await readSettings(new App({ context: { ...context, stage: 'production', chain } }).node)).chain;
  };

  it.each([undefined, 1, 64])('may be limited to %s', async (maxInFlight) => {
    expect((await chainWith(maxInFlight)).maxInFlight).toBe(maxInFlight);
  });

  it.each([0, 65, 1.5, '16', null])('may not be limited to %s', async (maxInFlight) => {
    await expect(chainWith(maxInFlight)).rejects.toThrow('maxInFlight must be a whole number from 1 to 64');
  });
});

describe('the contract of an asset', () => {
  it.each(BLOCK_LISTS)('may have the block list %s', async (blockList) => {
    expect(await tokensOf({ blockList })).toMatchObject({ USDT: { address: contract, blockList } });
  });

  it.each([
    ['no block list', undefined],
    ['an empty one', ''],
    ['one that no token has', 'isBlackListd'],
    ['a function that is no block list', 'balanceOf'],
  ])('is refused with %s: a wallet that the issuer blocks would be paid', async (_, blockList) => {
    await expect(tokensOf({ blockList })).rejects.toThrow(/USDT must name its blockList.*isBlocked.*none/);
  });

  it.each(['', '0x', 'c2132D05D31c914a87C6611C10748AEb04B58e8F', contract.slice(0, -1), undefined])(
    'is refused with the address %j',
    async (wrong) => {
      await expect(tokensOf({ contract: wrong })).rejects.toThrow(/USDT.*address/);
    },
  );

  it('has on Polygon the issuer’s address and block list', async () => {
    expect(await tokensOf({})).toMatchObject({
      USDT: { address: '0xc2132D05D31c914a87C6611C10748AEb04B58e8F', blockList: 'isBlocked' },
      USDC: { address: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359', blockList: 'isBlacklisted' },
    });
  });

  it.each(ASSET_NAMES)('is missing if the stage has no row of %s', async (asset) => {
    const { [asset]: _, ...production } = POLYGON;
    const app = new App({ context: { ...readContext(), stage: 'production', assets: { production } } });

    await expect(readSettings(app.node)).rejects.toThrow(`assets of production in cdk.json: ${asset} must`);
  });

  it('is refused for an asset that is not sold', async () => {
    const production = { ...POLYGON, USDD: POLYGON.USDT };
    const app = new App({ context: { ...readContext(), stage: 'production', assets: { production } } });

    await expect(readSettings(app.node)).rejects.toThrow('USDD is not in functions/domain/assets.ts');
  });
});
