import { App } from 'aws-cdk-lib/core';
import { describe, expect, it } from 'vitest';
import { readContext, readSettings } from '../../infra/settings.ts';
import { synthesized } from './synthesized.ts';

describe('the rule for traces', () => {
  it.each([
    ['sandbox', 1],
    ['production', 0.05],
  ] as const)(
    'traces in %s the share %d of the executions, and no execution beyond it',
    async (stage, rate) => {
      const { resources } = await synthesized(stage);

      const [{ Properties } = { Properties: {} }] = Object.values(resources('AWS::XRay::SamplingRule'));

      const rule = { FixedRate: rate, ReservoirSize: 0, ServiceName: `onramp-${stage}` };
      expect(Properties).toMatchObject({ SamplingRule: rule });
    },
  );

  it.each([-0.1, 1.1, '0.05', undefined])('refuses the share %j', async (production) => {
    const tracedShare = { production };
    const { node } = new App({ context: { ...readContext(), stage: 'production', tracedShare } });

    await expect(readSettings(node)).rejects.toThrow(
      'tracedShare of production must be a number from 0 to 1',
    );
  });
});
