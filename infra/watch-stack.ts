import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type IFilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import { NestedStack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { ALARMS } from '../functions/domain/watching/alarms.ts';
import { type Metric, namespaceOf } from '../functions/domain/watching/metrics.ts';
import type { WatchScope } from './alarm-metrics.ts';
import { addAlarms } from './alarms.ts';
import { addBudget } from './budget.ts';
import { addDashboard } from './dashboard.ts';
import { ROLLBACK_ALARMS } from './rollback-alarms.ts';
import type { Settings } from './settings.ts';

type WatchStackProps = {
  watch: WatchScope;
  topic: Topic;
  /** The alarms of the service's own stack, for the dashboard. */
  rollbackAlarms: readonly Alarm[];
  settings: Settings;
};

/**
 * The stack inside the service's stack with the alarms, the dashboard and the budget. The alarms that stop a
 * deployment are not in it: docs/architecture.md, "The parts".
 */
export class WatchStack extends NestedStack {
  constructor(scope: Construct, id: string, props: WatchStackProps) {
    super(scope, id, { description: 'Stablecoin on-ramp: alarms, dashboard, budget' });
    const { watch, topic, rollbackAlarms, settings } = props;
    // This id replaces the long one that CDK generates. CloudFormation writes the id into the name of each
    // alarm, and people read that name at night.
    this.nestedStackResource?.overrideLogicalId(id);
    const others = ALARMS.filter((alarm) => !ROLLBACK_ALARMS.includes(alarm));
    const { runbooks } = settings.alarms;
    const added = addAlarms(new Construct(this, 'Alarms'), others, { watch, topic, runbooks });
    countOwnAnswers(this, watch);
    addDashboard(this, { watch, alarms: [...rollbackAlarms, ...added] });
    addBudget(this, 'Budget', { monthlyUsd: settings.monthlyBudgetUsd, topic });
  }
}

// The metrics of API Gateway also count answers of functions. The access log tells the two apart: only an
// answer by API Gateway itself has a `responseType`.
function countOwnAnswers(scope: Construct, { stage, resources }: WatchScope): void {
  const { all, stringValue } = FilterPattern;
  const patterns = {
    ApiThrottled: stringValue('$.responseType', '=', 'THROTTLED'),
    ApiFailed: all(stringValue('$.status', '=', '5*'), stringValue('$.responseType', '!=', '-')),
  } as const satisfies Partial<Record<Metric, IFilterPattern>>;
  for (const [metricName, filterPattern] of Object.entries(patterns)) {
    const metricNamespace = namespaceOf(stage);
    for (const { accessLog: logGroup } of resources.apis)
      new MetricFilter(scope, `${logGroup.node.id}${metricName}`, {
        logGroup,
        filterPattern,
        metricNamespace,
        metricName,
      });
  }
}
