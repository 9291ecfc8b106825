import { App } from 'aws-cdk-lib/core';
import { describe, expect, it } from 'vitest';
import { LIST_EFFECTS } from '../../functions/domain/screening/lists.ts';
import { readContext, readSettings } from '../../infra/settings.ts';

async function effectsOf(listEffects?: Record<string, string>) {
  const app = new App({ context: { ...readContext(), stage: 'production', listEffects } });
  return (await readSettings(app.node)).listEffects;
}

describe('the effect of a hit', () => {
  it('is the first of the list’s effects unless the deployment chooses another', async () => {
    expect(await effectsOf()).toEqual(LIST_EFFECTS);
    expect(await effectsOf({ BR_CEIS: 'REJECT' })).toEqual({ ...LIST_EFFECTS, BR_CEIS: 'REJECT' });
  });

  it.each([
    ['OFAC_SDN', 'HIGH', 'OFAC_SDN may be REJECT'],
    ['BR_CEIS', 'PEP', 'BR_CEIS may be HIGH or REJECT'],
    ['EU_FSF', 'REJECT', 'there is no list EU_FSF'],
  ])('of %s cannot be %s', async (list, effect, reason) => {
    await expect(effectsOf({ [list]: effect })).rejects.toThrow(reason);
  });
});
