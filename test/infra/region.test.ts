import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib/core';
import { describe, expect, it } from 'vitest';
import { readContext, readSettings } from '../../infra/settings.ts';
import { STAGES } from '../../infra/stage.ts';
import { synthesized } from './synthesized.ts';

async function regionOf(context: Record<string, unknown>) {
  const app = new App({ context: { ...readContext(), ...context } });
  return (await readSettings(app.node)).region;
}

describe('the region of a deployment', () => {
  it.each(STAGES)('is chosen for %s: São Paulo', async (stage) => {
    expect(await regionOf({ stage })).toBe('sa-east-1');
  });

  it('follows the context of the stage', async () => {
    const region = { sandbox: 'us-east-1', production: 'eu-west-1' };

    expect(await regionOf({ stage: 'production', region })).toBe('eu-west-1');
    expect(await regionOf({ stage: 'sandbox', region })).toBe('us-east-1');
  });

  // docs/settlement.md, "Steps"
  it.each(STAGES)(
    'is the region of the stack of %s, whatever the CLI chooses; the account is the CLI’s',
    async (stage) => {
      const { app, outdir, stack } = await synthesized(stage);
      app.synth();

      const manifest = JSON.parse(readFileSync(join(outdir, 'manifest.json'), 'utf8')) as {
        artifacts: Record<string, { environment?: string }>;
      };
      expect(manifest.artifacts[stack.stackName]?.environment).toBe('aws://unknown-account/sa-east-1');
    },
  );

  it.each([
    ['nothing', undefined],
    ['an empty word', ''],
    ['a blank', ' '],
    ['a city', 'sao-paulo'],
    ['a region that there is not', 'sa-east-9'],
    ['a region of another partition', 'cn-north-1'],
    ['a zone', 'sa-east-1a'],
    ['a number', 1],
  ])('is not %s', async (_, production) => {
    const settings = regionOf({ stage: 'production', region: { production } });

    await expect(settings).rejects.toThrow('region of production must be a region of AWS, such as sa-east-1');
  });

  // A later deployment without the option would make a second stack without the rows of the first.
  it.each(['us-east-1', ''])('cannot be set on the command line: %j', async (region) => {
    await expect(regionOf({ stage: 'production', region })).rejects.toThrow('region is chosen in cdk.json');
  });
});
