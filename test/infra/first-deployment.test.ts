import { beforeAll, describe, expect, it } from 'vitest';
import { STAGES } from '../../infra/stage.ts';
import { everySetting } from './every-setting.ts';
import { madeBefore, referencesOf } from './references.ts';
import {
  type Properties,
  type Resources,
  type Statement,
  type Synthesized,
  synthesized,
} from './synthesized.ts';

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

/** The characters of a KMS key's id. */
const KEY_ID = 36;

/** A text as long as AWS will make the value. */
function textOf(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  const { 'Fn::Join': joined, 'Fn::ImportValue': imported, Ref } = value as Intrinsic;
  if (joined) return joined[1].map((part) => textOf('', part)).join('');
  if (Ref?.startsWith('Keys')) return 'x'.repeat(KEY_ID);
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

  // The runtime’s own API listens there: https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
  it('lets no function post to its own machine', () => {
    const told = ofType('AWS::Lambda::Function').map(([, { Properties }]) => Properties.Environment);

    expect(told.length).toBeGreaterThan(0);
    expect(JSON.stringify(told)).not.toMatch(/loopback/i);
  });

  it('makes a signing key some time after the role that its policy names: after a table with indexes', () => {
    const keys = ofType('AWS::KMS::Key').filter(
      ([, { Properties }]) => Properties.KeyUsage === 'SIGN_VERIFY',
    );
    const tables = ofType('AWS::DynamoDB::Table').filter(
      ([, { Properties }]) => Properties.GlobalSecondaryIndexes,
    );

    expect(keys.length).toBeGreaterThan(0);
    for (const [id, { DependsOn }] of keys) {
      const before = [DependsOn ?? []].flat().map(String);
      expect(
        before.some((each) => tables.some(([table]) => table === each)),
        id,
      ).toBe(true);
      for (const table of before) expect(madeBefore(table, all)).not.toContain(id);
    }
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

/**
 * Lambda allows 4,096 bytes of variables, and IAM the other numbers of characters and policies. A name may become
 * longer, so a function keeps a tenth free. One call may change 80 settings of an API's stage. AWS's pages do not say
 * so; the error is "Update size too large. Try updating stage in multiple UpdateStage operations".
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-policies.html
 * https://github.com/DianaIonita/serverless-api-gateway-caching/issues/46
 */
const MOST = { variables: 0.9 * 4096, inline: 10_240, managed: 6144, attached: 10, ofStage: 80 };
const MOST_OF_QUEUE = { bytes: 8192, statements: 20, conditions: 10 };

describe.each(STAGES)(
  'with every optional setting, and with names as long as AWS makes them, %s',
  (stage) => {
    let made: Synthesized;
    beforeAll(async () => {
      made = await synthesized(stage, everySetting(stage));
    });
    const lengthOf = (document: unknown) => JSON.stringify(spelled(document)).length;
    const sizesOf = (type: string, measure: (properties: Properties) => number) =>
      Object.entries(made.resources(type)).map(([id, { Properties }]) => [id, measure(Properties)] as const);
    const above = (sizes: (readonly [string, number])[], most: number) =>
      sizes.filter(([, size]) => size > most);

    it('leaves each function a tenth of the bytes of variables that Lambda allows', () => {
      const sizes = sizesOf('AWS::Lambda::Function', (properties) => sizeOf(variablesIn(properties)));

      expect(Math.max(...sizes.map(([, size]) => size))).toBeGreaterThan(2000);
      expect(above(sizes, MOST.variables)).toEqual([]);
    });

    it('gives no role more inline policies than IAM stores', () => {
      const managed = made.resources('AWS::IAM::ManagedPolicy');
      const byRole = new Map<string, number>();
      for (const { roles, statements } of made.policies().filter((policy) => !(policy.id in managed)))
        for (const role of roles)
          byRole.set(
            role,
            (byRole.get(role) ?? 0) + lengthOf({ Version: '2012-10-17', Statement: statements }),
          );

      expect(Math.max(...byRole.values())).toBeGreaterThan(5000);
      expect(above([...byRole], MOST.inline)).toEqual([]);
    });

    it('gives a role the rest in managed policies, each within its own limit', () => {
      const documents = sizesOf('AWS::IAM::ManagedPolicy', ({ PolicyDocument }) => lengthOf(PolicyDocument));
      const attached = sizesOf(
        'AWS::IAM::Role',
        ({ ManagedPolicyArns = [] }) => [ManagedPolicyArns].flat().length,
      );

      expect(documents.length).toBeGreaterThan(0);
      expect(above(documents, MOST.managed)).toEqual([]);
      expect(above(attached, MOST.attached)).toEqual([]);
    });

    it('gives no queue a longer policy than SQS stores', () => {
      const documents = Object.entries(made.resources('AWS::SQS::QueuePolicy')).map(
        ([id, { Properties }]) => {
          const { Statement: statements } = Properties.PolicyDocument as { Statement: Statement[] };
          const keys = statements.flatMap(({ Condition = {} }) =>
            Object.values(Condition as object).flatMap((each: object) => Object.keys(each)),
          );
          const bytes = lengthOf(Properties.PolicyDocument);
          return { id, bytes, statements: statements.length, conditions: keys.length };
        },
      );
      const sizes = (name: keyof typeof MOST_OF_QUEUE) =>
        above(
          documents.map((each) => [each.id, each[name]] as const),
          MOST_OF_QUEUE[name],
        );

      expect(documents.length).toBeGreaterThan(4);
      expect([sizes('bytes'), sizes('statements'), sizes('conditions')]).toEqual([[], [], []]);
    });

    it('makes all settings of an API’s stage with one call, because CloudFormation may make no second one', () => {
      const settings = sizesOf('AWS::ApiGateway::Stage', ({ MethodSettings = [] }) => {
        const names = (MethodSettings as object[]).flatMap((each) => Object.keys(each));
        return names.filter((name) => name !== 'HttpMethod' && name !== 'ResourcePath').length;
      });

      expect(Math.max(...settings.map(([, count]) => count))).toBeGreaterThan(0);
      expect(above(settings, MOST.ofStage)).toEqual([]);
    });
  },
);
