import { App } from 'aws-cdk-lib/core';
import { describe, expect, it } from 'vitest';
import { readContext, readSettings } from '../../infra/settings.ts';
import { STAGES } from '../../infra/stage.ts';

const GOOD = {
  ...{ lowest: '2', highest: '20.5' },
  ...{ gapBasisPoints: 500, disagreementBasisPoints: 200, moveBasisPoints: 500 },
};

async function boundsOf(context: Record<string, unknown>) {
  const app = new App({ context: { ...readContext(), ...context } });
  return (await readSettings(app.node)).priceBounds;
}

describe('what is taken for a price', () => {
  it.each(STAGES)(
    'is within 2 to 20 BRL, 2 %% of the other asset and 5 %% of the last hour in %s',
    async (stage) => {
      expect(await boundsOf({ stage })).toEqual({ ...GOOD, highest: '20' });
    },
  );

  it('is what the context says', async () => {
    expect(await boundsOf({ stage: 'production', priceBounds: { production: GOOD } })).toEqual(GOOD);
  });

  it.each([
    ['nothing', undefined, 'lowest must be BRL per token, as "5.43"'],
    ['a number that JSON may round', { ...GOOD, lowest: 2 }, undefined],
    ['less than nothing', { ...GOOD, lowest: '-2' }, 'lowest must be BRL per token'],
    ['from zero on', { ...GOOD, lowest: '0' }, 'lowest must be above zero and below highest'],
    ['between two that are the wrong way round', { ...GOOD, lowest: '21' }, 'lowest must be above zero'],
    ['up to anything', { ...GOOD, highest: 'any' }, 'highest must be BRL per token'],
    [
      'without a bound on its move',
      { ...GOOD, moveBasisPoints: undefined },
      'moveBasisPoints must be a whole',
    ],
    ['with a bound that is none', { ...GOOD, moveBasisPoints: 10_000 }, 'from 1 to 2000, which is 20 %'],
    [
      'with a share of a point',
      { ...GOOD, disagreementBasisPoints: 0.02 },
      'disagreementBasisPoints must be',
    ],
    ['with a gap of text', { ...GOOD, gapBasisPoints: '500' }, 'gapBasisPoints must be a whole number'],
  ])('is not %s', async (_, production, words = 'priceBounds of production') => {
    const settings = boundsOf({ stage: 'production', priceBounds: { production } });

    await expect(settings).rejects.toThrow(words);
  });
});
