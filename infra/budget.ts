import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import { Annotations } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { allowPublishing } from './alarm-topic.ts';

/** When the budget informs the topic, in percent of the month's amount. AWS can forecast only after some weeks. */
const NOTIFICATIONS = [
  { notificationType: 'ACTUAL', threshold: 80 },
  { notificationType: 'ACTUAL', threshold: 100 },
  { notificationType: 'FORECASTED', threshold: 100 },
] as const;

type BudgetProps = { monthlyUsd: number | undefined; topic: Topic };

/**
 * Informs the topic when the month's bill approaches the amount. It counts the whole account. A filter by our tags
 * would count nothing until a person activates the tags in the billing console. Without an amount there is no budget,
 * and the deployment shows a warning.
 */
export function addBudget(scope: Construct, id: string, { monthlyUsd, topic }: BudgetProps): void {
  if (monthlyUsd === undefined) {
    Annotations.of(scope).addWarningV2(
      'onramp:budget',
      'The bill rings at no amount: set `monthlyBudgetUsd`.',
    );
    return;
  }
  const subscribers = [{ subscriptionType: 'SNS', address: topic.topicArn }];
  const budget = new CfnBudget(scope, id, {
    budget: {
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      budgetLimit: { amount: monthlyUsd, unit: 'USD' },
    },
    notificationsWithSubscribers: NOTIFICATIONS.map((each) => ({
      notification: { ...each, comparisonOperator: 'GREATER_THAN', thresholdType: 'PERCENTAGE' },
      subscribers,
    })),
  });
  allowPublishing(topic, 'Budgets', 'budgets.amazonaws.com');
  // AWS sends a test message when the budget is created, so the topic must exist before.
  budget.node.addDependency(topic);
}
