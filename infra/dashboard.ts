import {
  type AlarmBase,
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  type IWidget,
  Metric,
} from 'aws-cdk-lib/aws-cloudwatch';
import { Duration } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { ASSET_NAMES } from '../functions/domain/assets.ts';
import type { ErrorCode } from '../functions/domain/errors.ts';
import type { TryEnd } from '../functions/domain/purchase/return-state.ts';
import { STATUSES } from '../functions/domain/purchase/status.ts';
import type { AlarmSource, Statistic } from '../functions/domain/watching/alarm.ts';
import { ALARM_SUBJECTS } from '../functions/domain/watching/alarms.ts';
import { AWS_ALARMS } from '../functions/domain/watching/aws-alarms.ts';
import { namespaceOf, type Metric as OwnMetric } from '../functions/domain/watching/metrics.ts';
import { metricOf, metricParts, type WatchScope } from './alarm-metrics.ts';

const MINUTES = 5;
const WIDTH = 8;
/** How a try to return money can end: `TryEnd` of the domain. */
const RETURN_ENDS = ['REFUNDED', 'FAILED', 'IMPOSSIBLE'] as const satisfies readonly TryEnd[];

/** The error codes that the dashboard shows. A thief, an outage or a fault of ours would cause them. */
const SHOWN_REFUSALS: ErrorCode[] = [
  'INVALID_API_KEY',
  'RATE_LIMIT_EXCEEDED',
  'MFA_INVALID_CODE',
  'MFA_ATTEMPTS_EXCEEDED',
  'LIMIT_EXCEEDED',
  'PRICE_UNAVAILABLE',
  'PROMISES_EXHAUSTED',
  'LIQUIDITY_UNAVAILABLE',
  'INTERNAL_ERROR',
];

type DashboardProps = { watch: WatchScope; alarms: AlarmBase[] };

/** The dashboard: the state of the alarms, figures of the business, and the health of the resources. */
export function addDashboard(scope: Construct, { watch, alarms }: DashboardProps): void {
  new Dashboard(scope, 'Dashboard', {
    dashboardName: `onramp-${watch.stage}`,
    widgets: [alarmWidgets(alarms), businessWidgets(watch), healthWidgets(watch)],
  });
}

/** A widget for each subject. A stage lacks some alarms, so a widget shows those that exist. */
function alarmWidgets(alarms: readonly AlarmBase[]): IWidget[] {
  return Object.entries(ALARM_SUBJECTS).map(([subject, ids]) => {
    const own = alarms.filter(({ node }) => ids.includes(node.id));
    return new AlarmStatusWidget({ title: `Alarms: ${subject}`, alarms: own, width: WIDTH, height: 6 });
  });
}

function businessWidgets(watch: WatchScope): IWidget[] {
  const own = (name: OwnMetric, statistic: Statistic, dimensionsMap: Record<string, string> = {}) =>
    new Metric({
      namespace: namespaceOf(watch.stage),
      metricName: name,
      dimensionsMap,
      statistic,
      period: Duration.minutes(MINUTES),
      label: Object.values(dimensionsMap).join(' ') || name,
    });
  const byStatus = (name: OwnMetric, statuses: readonly string[]) =>
    statuses.map((status) => own(name, 'Sum', { status }));
  return [
    graph('Purchases by the status that they reach', byStatus('Purchases', Object.keys(STATUSES))),
    graph(
      'Time to settle (p90)',
      ASSET_NAMES.map((asset) => own('TimeToSettle', 'p90', { asset })),
    ),
    graph('Refunds and returns, and unmatched payments', [
      ...byStatus('Refunds', RETURN_ENDS),
      own('UnmatchedPaymentsFound', 'Sum'),
      own('DustFound', 'Sum'),
    ]),
    graph('Webhooks and callbacks: lag (p90)', [own('WebhookLag', 'p90'), own('CallbackLag', 'p90')]),
    graph('Hits on the lists', byStatus('ScreeningHits', ['PENDING', 'REJECTED'])),
    graph('New wallets of clients with many', [
      own('FurtherWallets', 'Sum'),
      own('WalletsOfClient', 'Maximum'),
    ]),
    graph(
      'Refused requests',
      SHOWN_REFUSALS.map((code) => own('Refusals', 'Sum', { code })),
    ),
  ];
}

function healthWidgets(watch: WatchScope): IWidget[] {
  /** The metrics of an alarm. Each becomes a line of its own. */
  const of = ({ source }: { source: AlarmSource }): IMetric[] =>
    source.kind === 'AWS'
      ? metricParts({ source, minutes: MINUTES }, watch)
      : [metricOf({ source, minutes: MINUTES }, watch)];
  const aws = (namespace: string, names: readonly string[], other: Pick<AwsSource, 'of' | 'statistic'>) =>
    of({ source: { kind: 'AWS', namespace, names, ...other } });
  return [
    graph('API', [
      ...aws('AWS/ApiGateway', ['Count', '4XXError', '5XXError'], { of: 'api', statistic: 'Sum' }),
      ...of(AWS_ALARMS.ApiThrottled),
      ...of(AWS_ALARMS.ApiErrors),
    ]),
    graph('API: latency (p90)', aws('AWS/ApiGateway', ['Latency'], { of: 'api', statistic: 'p90' })),
    graph(
      'Executions',
      aws('AWS/States', ['ExecutionsStarted', 'ExecutionsFailed', 'ExecutionThrottled'], {
        of: 'machine',
        statistic: 'Sum',
      }),
    ),
    graph('Age of the queues (s)', [...of(AWS_ALARMS.WebhookAge), ...of(AWS_ALARMS.CallbackAge)]),
    graph('Lambda', [
      ...aws('AWS/Lambda', ['Throttles'], { of: 'account', statistic: 'Sum' }),
      ...aws('AWS/Lambda', ['ConcurrentExecutions'], { of: 'account', statistic: 'Maximum' }),
    ]),
    graph('Throttles of tables', [
      ...of(AWS_ALARMS.TablesThrottled),
      ...of(AWS_ALARMS.IndexesThrottled),
      ...of(AWS_ALARMS.ReadsThrottled),
    ]),
    graph('The pipe of the events', of(AWS_ALARMS.PipeFailed)),
  ];
}

type AwsSource = Extract<AlarmSource, { kind: 'AWS' }>;

const graph = (title: string, left: IMetric[]): IWidget => new GraphWidget({ title, left, width: WIDTH });
