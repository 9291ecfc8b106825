import { Template } from 'aws-cdk-lib/assertions';
import { App, type Stack } from 'aws-cdk-lib/core';
import { beforeAll, describe, expect, it } from 'vitest';
import { readContext, readSettings } from '../../infra/settings.ts';
import { matchesPattern } from '../../sandbox/cloud/event-pattern.ts';
import { type Resources, referencesOf } from './references.ts';
import { type Synthesized, synthesized } from './synthesized.ts';

const HOME = 'sa-east-1';
const REPLICAS = 'us-east-1';

type Pattern = { source: string[]; detail: Record<string, unknown> & { eventName: string[] } };

// Threat: "somebody else signs with a wallet's key"
describe('the signing keys of production', () => {
  let made: Synthesized;
  let rules: { id: string; State: string; EventPattern: Pattern; Targets: unknown[] }[];
  beforeAll(async () => {
    made = await synthesized('production', { replicaRegions: { production: [REPLICAS] } });
    const all = made.template.toJSON().Resources as Resources;
    rules = Object.entries(all).flatMap(([id, { Type, Properties }]) =>
      Type === 'AWS::Events::Rule' && Properties.EventPattern ? [{ id, ...Properties } as never] : [],
    );
  });
  const ruleOf = (name: string) =>
    rules.find(({ EventPattern }) => EventPattern.detail.eventName.includes(name))!;

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
    )
      .slice(0, 2)
      .map(({ userIdentity }) => userIdentity.sessionContext.sessionIssuer.arn);
    expect(JSON.stringify(other)).toMatch(/^\[\{"anything-but":\[.*KeysSigner.*\]\}\]$/);
    expect(none).toEqual([{ exists: false }]);
    expect(ruleOf('PutKeyPolicy').EventPattern.detail).not.toHaveProperty('$or');
  });

  describe('with a replica in another region', () => {
    const [key, role, stranger] = ['mrk-1', 'arn:aws:iam::1:role/signer', 'arn:aws:iam::1:role/other'];
    let forwarding: { Type: string; Properties: Record<string, unknown> }[];
    beforeAll(() => {
      const stack = made.app.node.findChild('OnrampProductionReplicas-us-east-1') as Stack;
      expect(stack.region).toBe(REPLICAS);
      forwarding = Object.values(Template.fromStack(stack).toJSON().Resources as never);
    });

    /** A pattern with values in the place of the template's references. */
    const known = (pattern: unknown) =>
      JSON.parse(
        JSON.stringify(pattern, (_, value) => {
          const text = JSON.stringify(value) ?? '';
          if (!text.startsWith('{"Fn::') && !text.startsWith('{"Ref')) return value;
          if (text.includes('KeysSigner')) return role;
          if (text.includes('KeysSigning')) return `:key/${key}`;
          return `arn:aws:kms:${REPLICAS}:1:key/mrk-`;
        }),
      ) as Pattern;
    const eventOf = (region: string, eventName: string, by = stranger, id = key) => ({
      source: 'aws.kms',
      'detail-type': 'AWS API Call via CloudTrail',
      region,
      detail: {
        eventSource: 'kms.amazonaws.com',
        eventName,
        awsRegion: region,
        userIdentity: { sessionContext: { sessionIssuer: { arn: by } } },
        resources: [{ accountId: '1', type: 'AWS::KMS::Key', ARN: `arn:aws:kms:${region}:1:key/${id}` }],
      },
    });
    const isForwarded = (event: object) =>
      forwarding.some(
        ({ Type, Properties }) =>
          Type === 'AWS::Events::Rule' && matchesPattern(known(Properties.EventPattern), event),
      );
    const isKept = (event: object) =>
      rules.some(({ EventPattern }) => matchesPattern(known(EventPattern), event));

    it.each(['Sign', 'PutKeyPolicy', 'CreateGrant', 'ScheduleKeyDeletion'])(
      'are watched there for %s by anybody, the signer’s role too',
      (name) => {
        for (const by of [stranger, role]) {
          const event = eventOf(REPLICAS, name, by);
          expect({ forwarded: isForwarded(event), kept: isKept(event) }).toEqual({
            forwarded: true,
            kept: true,
          });
        }
      },
    );

    it('stay quiet for the signatures of SettleStablecoin at home, and for another key’s replica', () => {
      expect(isKept(eventOf(HOME, 'Sign', role))).toBe(false);
      expect(isKept(eventOf(HOME, 'Sign'))).toBe(true);
      expect(isKept(eventOf(REPLICAS, 'Sign', stranger, 'mrk-2'))).toBe(false);
      expect(isForwarded(eventOf(REPLICAS, 'GetPublicKey'))).toBe(false);
    });

    it('have a rule there that may only put events on the bus at home, read-only events included', () => {
      const rule = forwarding.find(({ Type }) => Type === 'AWS::Events::Rule')!;
      const policies = forwarding.filter(({ Type }) => Type === 'AWS::IAM::Policy');

      expect(rule.Properties.State).toBe('ENABLED_WITH_ALL_CLOUDTRAIL_MANAGEMENT_EVENTS');
      expect(JSON.stringify(rule.Properties.Targets)).toContain(`:events:${HOME}:`);
      expect(policies).toHaveLength(1);
      expect(policies[0]!.Properties.PolicyDocument).toMatchObject({
        Statement: [{ Action: 'events:PutEvents', Effect: 'Allow' }],
      });
      expect(JSON.stringify(policies[0]!.Properties)).toContain(':event-bus/default');
    });
  });

  it('ring while an event of them waits in the queue', () => {
    const alarms = Object.entries(made.resources('AWS::CloudWatch::Alarm'));
    const [, { Properties }] = alarms.find(([id]) => id.includes('SigningKeyTouched'))!;

    expect(Properties).toMatchObject({ Threshold: 1, MetricName: 'ApproximateNumberOfMessagesVisible' });
    expect(referencesOf(Properties.Dimensions).length).toBe(1);
  });
});

describe('the setting `replicaRegions`', () => {
  const regionsOf = async (production: unknown) => {
    const context = { ...readContext(), stage: 'production', replicaRegions: { production } };
    return (await readSettings(new App({ context }).node)).replicaRegions;
  };

  it.each([[[REPLICAS]], [[]]])('may be %j', async (given) => {
    expect(await regionsOf(given)).toEqual(given);
  });

  it.each([[[HOME]], [[REPLICAS, REPLICAS]], [['us-east-9']], [['']], [[5]], [REPLICAS], [true]])(
    'may not be %j',
    async (given) => {
      await expect(regionsOf(given)).rejects.toThrow('replicaRegions of production must be a list of other');
    },
  );
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
