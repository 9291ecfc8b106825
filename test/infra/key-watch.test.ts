import { App } from 'aws-cdk-lib/core';
import { beforeAll, describe, expect, it } from 'vitest';
import { readContext, readSettings } from '../../infra/settings.ts';
import { type Resources, referencesOf } from './references.ts';
import { type Synthesized, synthesized } from './synthesized.ts';

type Pattern = { source: string[]; detail: Record<string, unknown> & { eventName: string[] } };

// Threat: "an administrator or a thief signs with a wallet's key"
describe('the signing keys of production', () => {
  let made: Synthesized;
  let rules: { id: string; State: string; EventPattern: Pattern; Targets: unknown[] }[];
  beforeAll(async () => {
    made = await synthesized('production');
    const all = made.template.toJSON().Resources as Resources;
    rules = Object.entries(all).flatMap(([id, { Type, Properties }]) =>
      Type === 'AWS::Events::Rule' && Properties.EventPattern ? [{ id, ...Properties } as never] : [],
    );
  });
  const ruleOf = (name: string) =>
    rules.find(({ EventPattern }) => EventPattern.detail.eventName.includes(name))!;

  // docs/decisions.md, "Who touches the signing keys"
  it.each(['PutKeyPolicy', 'ScheduleKeyDeletion', 'DisableKey', 'ReplicateKey', 'CreateGrant', 'Sign'])(
    'are watched for %s of every signing key, read-only events included',
    (name) => {
      const { State, EventPattern, Targets } = ruleOf(name);

      expect(State).toBe('ENABLED_WITH_ALL_CLOUDTRAIL_MANAGEMENT_EVENTS');
      expect(EventPattern).toMatchObject({ source: ['aws.kms'] });
      expect(JSON.stringify(EventPattern.detail.resources)).toContain('KeysSigning');
      expect(JSON.stringify(Targets)).toContain('KeyWatchEvents');
    },
  );

  it('are watched for signatures by anybody but the role of SettleStablecoin, also without a session', () => {
    const { detail } = ruleOf('Sign').EventPattern;

    const [other, none] = (
      detail.$or as { userIdentity: { sessionContext: { sessionIssuer: { arn: never[] } } } }[]
    ).map(({ userIdentity }) => userIdentity.sessionContext.sessionIssuer.arn);
    expect(JSON.stringify(other)).toMatch(/^\[\{"anything-but":\[.*KeysSigner.*\]\}\]$/);
    expect(none).toEqual([{ exists: false }]);
    expect(ruleOf('PutKeyPolicy').EventPattern.detail).not.toHaveProperty('$or');
  });

  it('ring while an event of them waits in the queue', () => {
    const alarms = Object.entries(made.resources('AWS::CloudWatch::Alarm'));
    const [, { Properties }] = alarms.find(([id]) => id.includes('SigningKeyTouched'))!;

    expect(Properties).toMatchObject({ Threshold: 1, MetricName: 'ApproximateNumberOfMessagesVisible' });
    expect(referencesOf(Properties.Dimensions).length).toBe(1);
  });
});

describe('the setting `trail`', () => {
  const trailOf = async (production: unknown) => {
    const context = { ...readContext(), stage: 'production', trail: { production } };
    return (await readSettings(new App({ context }).node)).trail;
  };

  it.each([
    ['of-the-organisation', 'of-the-organisation'],
    [null, undefined],
  ])('may be %j', async (given, trail) => {
    expect(await trailOf(given)).toBe(trail);
  });

  it.each([true, '', 'a b', 'arn:aws:cloudtrail:x', 5])('may not be %j', async (given) => {
    await expect(trailOf(given)).rejects.toThrow('trail of production must be the name of a trail');
  });
});
