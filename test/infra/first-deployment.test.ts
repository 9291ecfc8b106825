import { beforeAll, describe, expect, it } from 'vitest';
import { STAGES } from '../../infra/stage.ts';
import { referencesOf } from './references.ts';
import { type Resources, type Statement, type Synthesized, synthesized } from './synthesized.ts';

const variablesIn = ({ Environment = {} }: { Environment?: { Variables?: Record<string, unknown> } }) =>
  Object.entries(Environment.Variables ?? {});

/** The bytes that Lambda counts. */
function sizeOf(variables: [string, unknown][]): number {
  const known = Object.fromEntries(variables.map(([name, value]) => [name, textOf(name, value)]));
  return Buffer.byteLength(JSON.stringify(known));
}

const SECRET_ARN = 'arn:aws:secretsmanager:sa-east-1:123456789012:secret:';
const EXPORTED = /^(\w+):ExportsOutputRef(\w+).{8}$/;
/** AWS adds a dash and random characters to the name of a resource, and seven more to a secret's. */
const ADDED = 14;

/** A text as long as AWS will make the value. */
function textOf(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  const { 'Fn::Join': joined, 'Fn::ImportValue': imported, Ref } = value as Intrinsic;
  if (joined) return joined[1].map((part) => textOf('', part)).join('');
  // The parts of an address: a region, an account, the id of an API.
  if (name === '') return 'x'.repeat(14);
  const [, stack = 'OnrampProduction', id = Ref ?? ''] = EXPORTED.exec(imported ?? '') ?? [];
  const own = 'x'.repeat(id.length + ADDED);
  return name.endsWith('_SECRET') ? `${SECRET_ARN}${own}-123456` : `${stack}-${own}`;
}

/** A text as long as the ARN of a resource of these stacks, or longer. */
const arnOf = (id: string) =>
  `arn:aws:dynamodb:sa-east-1:123456789012:table/OnrampProductionState-${id}${'x'.repeat(ADDED)}`;

/** A policy document as long as AWS will store it. */
function spelled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(spelled);
  if (typeof value !== 'object' || value === null) return value;
  const { 'Fn::Join': joined, 'Fn::GetAtt': attribute, Ref } = value as Intrinsic;
  if (joined) return joined[1].map(spelled).join('');
  const id = attribute?.[0] ?? Ref;
  if (id !== undefined) return arnOf(id);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, spelled(each)]));
}

type Intrinsic = {
  'Fn::Join'?: [string, unknown[]];
  'Fn::GetAtt'?: string[];
  'Fn::ImportValue'?: string;
  Ref?: string;
};

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
  // https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
  it('gives no function more than 4 KB of variables, with names as long as AWS makes them', () => {
    const sizes = Object.entries(made.resources('AWS::Lambda::Function')).map(
      ([id, { Properties }]) => [id, sizeOf(variablesIn(Properties))] as const,
    );

    expect(sizes.filter(([, size]) => size > 4096)).toEqual([]);
  });

  // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html
  it('gives no role more than 10,240 characters of policies, with names as long as AWS makes them', () => {
    const sizes = ofType('AWS::IAM::Role').map(([id, { Properties }]) => {
      const policies = (Properties.Policies ?? []) as { PolicyDocument: unknown }[];
      const documents = policies.map(({ PolicyDocument }) => JSON.stringify(spelled(PolicyDocument)).length);
      return [id, documents.reduce((sum, length) => sum + length, 0)] as const;
    });

    expect(Math.max(...sizes.map(([, size]) => size))).toBeGreaterThan(5000);
    expect(sizes.filter(([, size]) => size > 10_240)).toEqual([]);
  });

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
