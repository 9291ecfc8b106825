import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { allowPublishing } from './alarm-topic.ts';

/** When the budget informs the topic, in percent of the month's amount. AWS can forecast only after some weeks. */
const NOTIFICATIONS = [
  { notificationType: 'ACTUAL', threshold: 80 },
  { notificationType: 'ACTUAL', threshold: 100 },
  { notificationType: 'FORECASTED', threshold: 100 },
] as const;

type BudgetProps = { monthlyUsd: number; topic: Topic };

/**
 * Informs the topic when the month's bill approaches the amount. It counts the whole account. A filter by our tags
 * would count nothing until a person activates the tags in the billing console.
 */
export function addBudget(scope: Construct, id: string, { monthlyUsd, topic }: BudgetProps): void {
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
