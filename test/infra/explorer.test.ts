import { App } from 'aws-cdk-lib/core';
import { describe, expect, it } from 'vitest';
import { explorerOf } from '../../infra/explorer.ts';
import { readContext } from '../../infra/settings.ts';
import type { Stage } from '../../infra/stage.ts';

const of = (stage: Stage, context: Record<string, unknown> = {}) =>
  explorerOf(stage, new App({ context: { ...readContext(), ...context } }).node);

describe('the explorer of a receipt', () => {
  it('is Polygon’s in production, and absent in the sandbox', () => {
    expect(of('production')).toEqual({ transactions: 'https://polygonscan.com/tx/' });
    expect(of('sandbox')).toEqual({});
  });

  it.each([
    undefined,
    'http://explorer.test/tx/',
    'https://explorer.test/tx',
    'https://explorer.test?tx=/',
    'javascript:/',
  ])('is not %s', (transactions) => {
    expect(() => of('production', { explorer: { production: { transactions } } })).toThrow(
      'explorer of production',
    );
  });
});
