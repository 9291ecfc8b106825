import { beforeAll, describe, expect, it } from 'vitest';
import { STAGES } from '../../infra/stage.ts';
import { referencesOf } from './references.ts';
import { type Resources, type Statement, type Synthesized, synthesized } from './synthesized.ts';

describe.each(STAGES)('a first deployment of %s', (stage) => {
  let made: Synthesized;
  let all: Resources;
  beforeAll(async () => {
    made = await synthesized(stage);
    all = made.template.toJSON().Resources as Resources;
  });
  const ofType = (...types: string[]) => Object.entries(all).filter(([, { Type }]) => types.includes(Type));
  const statementsIn = (document: unknown) => (document as { Statement: Statement[] }).Statement;

  describe('lets CloudWatch', () => {
    const ACTIONS = ['AlarmActions', 'OKActions', 'InsufficientDataActions'];
    const topicsOfAlarms = () =>
      new Set(
        ofType('AWS::CloudWatch::Alarm')
          .flatMap(([, { Properties }]) => ACTIONS.map((key) => Properties[key]))
          .flatMap((actions) => referencesOf(actions).map(({ id }) => id)),
      );
    const forCloudWatch = (statements: Statement[], effect: string) =>
      statements.filter(({ Effect, Principal }) => {
        const { Service, AWS } = Principal as { Service?: string; AWS?: string };
        return Effect === effect && (Service === 'cloudwatch.amazonaws.com' || AWS === '*');
      });

    it('publish to every topic of an alarm, for this account alone', () => {
      const topics = topicsOfAlarms();

      expect(topics.size).toBeGreaterThan(0);
      for (const topic of topics) {
        expect(all[topic]?.Type).toBe('AWS::SNS::Topic');
        const statements = ofType('AWS::SNS::TopicPolicy')
          .filter(([, { Properties }]) => referencesOf(Properties.Topics).some(({ id }) => id === topic))
          .flatMap(([, { Properties }]) => statementsIn(Properties.PolicyDocument));
        expect(forCloudWatch(statements, 'Allow'), topic).toMatchObject([
          {
            Action: 'sns:Publish',
            Resource: { Ref: topic },
            Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
          },
        ]);
        for (const { Condition } of forCloudWatch(statements, 'Deny'))
          expect(Condition).toEqual({ Bool: { 'aws:SecureTransport': 'false' } });
      }
    });

    it('use the key of every topic of an alarm', () => {
      for (const topic of topicsOfAlarms()) {
        const [key] = referencesOf(all[topic]?.Properties.KmsMasterKeyId);
        expect(key, topic).toBeDefined();
        const allowed = forCloudWatch(statementsIn(all[key!.id]?.Properties.KeyPolicy), 'Allow')
          .filter(({ Condition }) => !JSON.stringify(Condition ?? '').includes('kms:ViaService'))
          .flatMap(({ Action }) => Action);
        expect(allowed, topic).toEqual(expect.arrayContaining(['kms:Decrypt', 'kms:GenerateDataKey*']));
      }
    });
  });

  // The runtime's own API listens there: https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
  it('lets no function post to its own machine', () => {
    const told = ofType('AWS::Lambda::Function').map(([, { Properties }]) => Properties.Environment);

    expect(told.length).toBeGreaterThan(0);
    expect(JSON.stringify(told)).not.toMatch(/loopback/i);
  });

  it('leaves no resource with a fixed name if it fails', () => {
    const isOwnName = ([key]: [string, unknown]) => key.endsWith('Name');
    const isFixed = ([, value]: [string, unknown]) => referencesOf(value).every(({ id }) => !(id in all));
    const kept = Object.entries(all).filter(([, { DeletionPolicy }]) => DeletionPolicy === 'Retain');
    const named = kept.flatMap(([id, { Properties }]) =>
      Object.entries(Properties ?? {})
        .filter(isOwnName)
        .filter(isFixed)
        .map(([key, value]) => ({ id, [key]: value })),
    );

    expect(named).toEqual([]);
    expect(kept.length > 0).toBe(true);
  });
});
