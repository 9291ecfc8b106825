import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, it } from 'vitest';
import { onrampApp } from '../../infra/onramp-app.ts';
import { STAGES } from '../../infra/stage.ts';
import { madeBefore, type Resources, referencesOf } from './references.ts';
import { type Statement, type Synthesized, synthesized } from './synthesized.ts';

const SERVICE = 'budgets.amazonaws.com';

describe.each(STAGES)('the bill of %s', (stage) => {
  let made: Synthesized;
  let all: Resources;
  beforeAll(async () => {
    made = await synthesized(stage);
    all = made.template.toJSON().Resources as Resources;
  });
  const budget = () => {
    const [found, ...others] = Object.entries(made.resources('AWS::Budgets::Budget'));
    expect(others).toEqual([]);
    return { id: found![0], properties: found![1].Properties };
  };
  const statementsFor = (document: unknown) =>
    (document as { Statement: Statement[] }).Statement.filter(
      ({ Principal }) => (Principal as { Service?: string }).Service === SERVICE,
    );

  it('raises an alarm near the amount of cdk.json', () => {
    const amount = { sandbox: 50, production: 250 }[stage];

    expect(budget().properties.Budget).toEqual({
      BudgetType: 'COST',
      TimeUnit: 'MONTHLY',
      BudgetLimit: { Amount: amount, Unit: 'USD' },
    });
  });

  it('reaches the topic of the alarms: its policy and its key let AWS Budgets in, for this account', () => {
    const { id, properties } = budget();
    const topics = new Set(referencesOf(properties.NotificationsWithSubscribers).map((each) => each.id));
    const [topic, ...others] = topics;
    const [key] = referencesOf(all[topic!]!.Properties.KmsMasterKeyId);
    const [policyId, policy] = Object.entries(made.resources('AWS::SNS::TopicPolicy'))[0]!;
    const condition = { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } };

    expect(others).toEqual([]);
    expect(statementsFor(policy.Properties.PolicyDocument)).toMatchObject([
      { Action: 'sns:Publish', Resource: { Ref: topic }, Condition: condition },
    ]);
    expect(statementsFor(all[key!.id]!.Properties.KeyPolicy)).toMatchObject([
      { Action: ['kms:Decrypt', 'kms:GenerateDataKey*'], Condition: condition },
    ]);
    expect(madeBefore(id, all)).toContain(policyId);
  });

  it('names service and stage of everything that can have tags', () => {
    const tagged = Object.values(all).filter(({ Properties }) => Array.isArray(Properties?.Tags));

    expect(tagged.length).toBeGreaterThan(100);
    for (const { Properties } of tagged)
      expect(Properties.Tags).toEqual(
        expect.arrayContaining([
          { Key: 'service', Value: 'onramp' },
          { Key: 'stage', Value: stage },
        ]),
      );
  });
});

it('is not made, with a warning, if it is null', async () => {
  const { stack, resources } = await synthesized('production', { monthlyBudgetUsd: { production: null } });
  const warnings = Annotations.fromStack(stack).findWarning('*', Match.stringLikeRegexp('monthlyBudgetUsd'));

  expect(resources('AWS::Budgets::Budget')).toEqual({});
  expect(warnings).toHaveLength(1);
});

it.each([undefined, 0, -1, '250', Number.NaN])('is not %j', async (production) => {
  await expect(onrampApp({ stage: 'production', monthlyBudgetUsd: { production } })).rejects.toThrow(
    'monthlyBudgetUsd of production',
  );
});
