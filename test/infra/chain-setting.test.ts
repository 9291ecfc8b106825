import { App } from 'aws-cdk-lib/core';
import { describe, expect, it } from 'vitest';
import type { Chain } from '../../functions/adapters/chain/chain.ts';
import { BLACKLISTS } from '../../functions/domain/screening/wallet-risk.ts';
import { readContext, readSettings } from '../../infra/settings.ts';

const POLYGON = (readContext().chain as { production: Chain }).production;

async function tokensOf(usdt: object) {
  const tokens = { ...POLYGON.tokens, USDT: usdt };
  const chain = { production: { ...POLYGON, tokens } };
  const app = new App({ context: { ...readContext(), stage: 'production', chain } });
  return (await readSettings(app.node)).chain.tokens;
}

const { address } = POLYGON.tokens.USDT;

describe('a token of the chain setting', () => {
  it.each(BLACKLISTS)('may name the question %s', async (blacklist) => {
    expect(await tokensOf({ address, blacklist })).toMatchObject({ USDT: { address, blacklist } });
  });

  it.each([
    ['no question', { address }],
    ['an empty one', { address, blacklist: '' }],
    ['one that no token has', { address, blacklist: 'isBlackListd' }],
    ['one that is none of a token', { address, blacklist: 'balanceOf' }],
  ])('is refused with %s: whom its issuer blocks would never be asked', async (_, usdt) => {
    await expect(tokensOf(usdt)).rejects.toThrow(
      /USDT of the chain must name its blacklist.*isBlocked.*none/,
    );
  });

  it.each(['', '0x', 'c2132D05D31c914a87C6611C10748AEb04B58e8F', address.slice(0, -1), undefined])(
    'is refused with the address %j',
    async (wrong) => {
      await expect(tokensOf({ address: wrong, blacklist: 'isBlocked' })).rejects.toThrow(/USDT.*address/);
    },
  );

  it('asks on Polygon what its contract answers to', () => {
    expect(POLYGON.tokens).toMatchObject({
      USDT: { address: '0xc2132D05D31c914a87C6611C10748AEb04B58e8F', blacklist: 'isBlocked' },
      USDC: { address: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359', blacklist: 'isBlacklisted' },
    });
  });
});
