import { App } from 'aws-cdk-lib/core';
import { describe, expect, it } from 'vitest';
import { KYC_MAKERS } from '../../functions/adapters/live/kyc.ts';
import type { Parts } from '../../functions/adapters/live/parts.ts';
import { LIST_EFFECTS } from '../../functions/domain/screening/lists.ts';
import { readContext, readSettings } from '../../infra/settings.ts';
import { synthesized } from './synthesized.ts';

async function effectsOf(listEffects?: Record<string, string>) {
  const app = new App({ context: { ...readContext(), stage: 'production', listEffects } });
  return (await readSettings(app.node)).listEffects;
}

/** The effects of which a function knows by this variable. */
async function effectsBy(variable: string) {
  const { listEffects } = KYC_MAKERS;
  await listEffects.load();
  return listEffects.make({ settings: { require: () => variable } } as unknown as Parts);
}

describe('the effect of a hit', () => {
  it('reaches a function as a change of the default, so that its variables stay short', async () => {
    const made = await synthesized('production', { listEffects: { BR_CEIS: 'REJECT' } });
    const { LIST_EFFECTS: variable } = made.environmentOf('SubmitKyc');

    expect(variable).toBe('{"BR_CEIS":"REJECT"}');
    expect(await effectsBy(String(variable))).toEqual({ ...LIST_EFFECTS, BR_CEIS: 'REJECT' });
    expect(await effectsBy('{}')).toEqual(LIST_EFFECTS);
  });

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
