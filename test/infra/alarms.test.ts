import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, it } from 'vitest';
import { fileOf } from '../../docs/generate.ts';
import { ALARMS } from '../../functions/domain/watching/alarms.ts';
import { CONDITIONS, type Condition } from '../../functions/domain/watching/conditions.ts';
import { METRICS } from '../../functions/domain/watching/metrics.ts';
import { REFUSAL_ALARMS } from '../../functions/domain/watching/refusal-alarms.ts';
import { SCHEDULES } from '../../functions/domain/watching/schedules.ts';
import { readDefinition } from '../../infra/machine.ts';
import { onrampApp } from '../../infra/onramp-app.ts';
import { referencesOf } from './references.ts';
import { type Properties, type Synthesized, synthesized } from './synthesized.ts';

const FUNCTIONS = new URL('../../functions', import.meta.url).pathname;

let production: Synthesized;
beforeAll(async () => {
  const certificateArn = 'arn:aws:acm:sa-east-1:000000000000:certificate/1';
  const trustStore = { key: 'truststore.pem', version: 'aVersion' };
  const edge = {
    callbackDomain: { name: 'pix.example.com', certificateArn, trustStore },
    apiDomain: { name: 'api.example.com', certificateArn },
  };
  production = await synthesized('production', { edge: { production: edge } });
});

type Dimension = { Name: string; Value: unknown };
type Stat = { Namespace: string; MetricName: string; Dimensions?: Dimension[] };

/**
 * The metrics that AWS publishes, of those that are watched: their names, and the resource that each dimension names.
 * An account as a whole has no dimension. Sources: AWS's documents of each service, "Metrics".
 */
const OF_AWS: Record<string, { names: string[]; dimensions: Record<string, string>; ofAccount?: true }> = {
  'AWS/SQS': {
    names: ['ApproximateNumberOfMessagesVisible', 'ApproximateAgeOfOldestMessage'],
    dimensions: { QueueName: 'AWS::SQS::Queue' },
  },
  'AWS/States': {
    names: ['ExecutionsStarted', 'ExecutionsFailed', 'ExecutionsAborted', 'ExecutionThrottled'],
    dimensions: { StateMachineArn: 'AWS::StepFunctions::StateMachine' },
  },
  'AWS/Lambda': {
    names: ['Invocations', 'Errors', 'Throttles', 'ConcurrentExecutions'],
    dimensions: { FunctionName: 'AWS::Lambda::Function' },
    ofAccount: true,
  },
  // Without the name of an index, the metrics of a table leave out what its indexes refuse.
  'AWS/DynamoDB': {
    names: ['ReadThrottleEvents', 'WriteThrottleEvents'],
    dimensions: { TableName: 'AWS::DynamoDB::Table' },
  },
  'AWS/ApiGateway': {
    names: ['Count', '4XXError', '5XXError', 'Latency'],
    dimensions: { ApiName: 'AWS::ApiGateway::RestApi', Stage: 'AWS::ApiGateway::Stage' },
  },
  'AWS/CertificateManager': {
    names: ['DaysToExpiry'],
    dimensions: { CertificateArn: 'AWS::ApiGateway::DomainName' },
  },
  'AWS/EventBridge/Pipes': {
    names: ['ExecutionFailed', 'ExecutionThrottled', 'ExecutionTimeout'],
    dimensions: { PipeName: 'AWS::Pipes::Pipe' },
  },
};

const alarms = () => Object.entries(production.resources('AWS::CloudWatch::Alarm'));
const idOf = (logicalId: string) => /^Alarms(\w+)[0-9A-F]{8}$/.exec(logicalId)?.[1];
const alarmOf = (id: string): Properties =>
  alarms().find(([logicalId]) => idOf(logicalId) === id)![1].Properties;

/** Each metric of an alarm, also those inside a sum. */
function statsOf({ MetricName, Namespace, Dimensions, Metrics }: Properties): Stat[] {
  if (MetricName) return [{ MetricName, Namespace, Dimensions } as Stat];
  const inside = (Metrics as { MetricStat?: { Metric: Stat } }[]).flatMap(
    ({ MetricStat }) => MetricStat ?? [],
  );
  return inside.map(({ Metric }) => Metric);
}

/** The longest pause in seconds before the state machine repeats a step after an error. */
function longestPauseOfSteps(): number {
  const pauses = JSON.stringify(readDefinition()).matchAll(/"(?:MaxDelaySeconds|IntervalSeconds)":(\d+)/g);
  return Math.max(...[...pauses].map(([, seconds]) => Number(seconds)));
}

type Widget = { type: string; properties: { metrics?: unknown[][]; alarms?: string[] } };

/** The widgets of the dashboard. References stay as they are. */
function widgetsOfDashboard(): Widget[] {
  const dashboard = Object.values(production.resources('AWS::CloudWatch::Dashboard'))[0]!.Properties;
  const parts = (dashboard.DashboardBody as { 'Fn::Join': [string, unknown[]] })['Fn::Join'][1];
  const body = parts.map((part) =>
    typeof part === 'string' ? part : JSON.stringify(part).replaceAll('"', "'"),
  );
  return (JSON.parse(body.join('')) as { widgets: Widget[] }).widgets;
}

/** The metrics of the dashboard's graphs. */
function statsOfDashboard(): Stat[] {
  return widgetsOfDashboard()
    .flatMap(({ properties }) => properties.metrics ?? [])
    .map(([Namespace, MetricName, ...rest]) => {
      const named = rest.filter((each) => typeof each === 'string') as string[];
      const Dimensions = named.flatMap((Name, at) =>
        at % 2 === 0 ? [{ Name, Value: dimensionIn(named[at + 1]!) }] : [],
      );
      return { Namespace, MetricName, Dimensions } as Stat;
    });
}

const dimensionIn = (text: string): unknown =>
  text.startsWith('{') ? JSON.parse(text.replaceAll("'", '"')) : text;

/** The type of the resource that a dimension names, by a reference or by its name. */
function typeOf({ Value }: Dimension): string | undefined {
  const resources = production.template.toJSON().Resources as Record<
    string,
    { Type: string; Properties: Properties }
  >;
  const [reference] = referencesOf(Value);
  if (reference) return resources[reference.id]?.Type;
  return Object.values(resources).find(({ Properties: { Name, StageName, RegionalCertificateArn } = {} }) =>
    [Name, StageName, RegionalCertificateArn].includes(Value),
  )?.Type;
}

/** The names of the indexes of the table that a dimension names. */
function indexesOf(dimension: Dimension | undefined): string[] {
  const [table] = referencesOf(dimension?.Value);
  const { GlobalSecondaryIndexes = [] } = production.resources('AWS::DynamoDB::Table')[table!.id]!
    .Properties as { GlobalSecondaryIndexes?: { IndexName: string }[] };
  return GlobalSecondaryIndexes.map(({ IndexName }) => IndexName);
}

function expectFromAws(stat: Stat): void {
  const { Namespace, MetricName, Dimensions = [] } = stat;
  const known = OF_AWS[Namespace];
  expect(known?.names, `${Namespace} ${MetricName}`).toContain(MetricName);
  const index = Dimensions.find(({ Name }) => Name === 'GlobalSecondaryIndexName');
  const others = Dimensions.filter((each) => each !== index);
  if (index) expect(indexesOf(others[0]), MetricName).toContain(index.Value);
  const named = Object.fromEntries(others.map((each) => [each.Name, typeOf(each)]));
  if (Dimensions.length > 0 || !known?.ofAccount) expect(named, MetricName).toEqual(known?.dimensions);
}

function expectOwn({ MetricName, Dimensions = [] }: Stat): void {
  const dimensions = MetricName in CONDITIONS ? [] : METRICS[MetricName as keyof typeof METRICS].dimensions;
  expect(
    Dimensions.map(({ Name }) => Name),
    MetricName,
  ).toEqual(dimensions);
}

describe('the alarms', () => {
  it('are those of the table, and each tells the topic', () => {
    expect(
      alarms()
        .map(([logicalId]) => idOf(logicalId))
        .sort(),
    ).toEqual(ALARMS.map(({ id }) => id).sort());
    expect(new Set(alarms().map(([, { Properties }]) => JSON.stringify(Properties.AlarmActions))).size).toBe(
      1,
    );
  });

  it.each(Object.keys(CONDITIONS) as Condition[])(
    'have one for %s, by the metric that code raises',
    (name) => {
      expect(alarmOf(name)).toMatchObject({
        Namespace: 'Onramp/production',
        MetricName: name,
        Statistic: 'Sum',
        TreatMissingData: 'notBreaching',
        ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      });
    },
  );

  it('have code for each condition: outside of their tables, a source names it', () => {
    const code = readdirSync(FUNCTIONS, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.startsWith('domain/watching'))
      .map((file) => readFileSync(join(FUNCTIONS, file), 'utf8'))
      .join('');

    expect(Object.keys(CONDITIONS).filter((name) => !code.includes(`'${name}'`))).toEqual([]);
  });

  it.each(Object.entries(REFUSAL_ALARMS))(
    'have one for %s, by the metric of the refusals or wallets',
    (name, { source, threshold, minutes }) => {
      const dimensions = 'dimensions' in source ? source.dimensions : {};
      const { Dimensions = [], ...alarm } = alarmOf(name);

      expect(alarm).toMatchObject({
        Namespace: 'Onramp/production',
        MetricName: source.name,
        Statistic: source.statistic,
        Threshold: threshold,
        Period: minutes * 60,
        EvaluationPeriods: 1,
        ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      });
      expect(Dimensions).toEqual(Object.entries(dimensions ?? {}).map(([Name, Value]) => ({ Name, Value })));
    },
  );

  it.each(Object.entries(SCHEDULES))('ring if %s succeeds no more, or runs no more', (name, schedule) => {
    const alarm = alarmOf(`${name}Silent`);

    expect(alarm).toMatchObject({
      Threshold: 1,
      ComparisonOperator: 'LessThanThreshold',
      TreatMissingData: 'breaching',
      Metrics: [
        { Expression: '1 - FILL(failed, 1)', ReturnData: true },
        {
          Id: 'failed',
          MetricStat: {
            Metric: { Namespace: 'AWS/Lambda', MetricName: 'Errors' },
            Period: schedule.silentAfterMinutes * 60,
            Stat: 'Minimum',
          },
        },
      ],
    });
    const watched = production.find('AWS::Lambda::Function', name);
    for (const { Dimensions } of statsOf(alarm))
      expect(Dimensions).toEqual([{ Name: 'FunctionName', Value: { Ref: watched } }]);
    // One run may fail without an alarm.
    expect(schedule.silentAfterMinutes).toBeGreaterThanOrEqual(3 * schedule.everyMinutes);
  });

  // The work behind these conditions is repeated after a second, then two, and so on: one short silence raises several.
  it.each([
    ...['StepWaits', 'SettlementWaits', 'SweepFailed', 'RequestUnanswered'],
    ...['FunctionsThrottled', 'ExecutionsThrottled'],
  ])('wake nobody for a short silence: %s needs three periods in a row', (id) => {
    expect(alarmOf(id)).toMatchObject({
      EvaluationPeriods: 3,
      Period: 300,
      TreatMissingData: 'notBreaching',
    });
    // Each repetition makes a point, so a lasting silence has one in each period.
    expect(longestPauseOfSteps()).toBeLessThanOrEqual(300);
  });

  it('watch metrics that exist, of resources of this template', () => {
    for (const stat of alarms().flatMap(([, { Properties }]) => statsOf(Properties)))
      stat.Namespace.startsWith('AWS/') ? expectFromAws(stat) : expectOwn(stat);
  });

  it.each(['Webhook', 'Callback', 'Outbox', 'Schedule'])(
    'have a name by which docs/operations.md finds the dead-letter queue: %s',
    (name) => {
      const id = `${name}DeadLetters`;
      const [queue, ...others] = Object.keys(production.resources('AWS::SQS::Queue')).filter((logicalId) =>
        logicalId.includes(id),
      );

      expect(others).toEqual([]);
      const named = alarmOf(id).Dimensions as Dimension[];
      expect(named.flatMap(({ Value }) => referencesOf(Value)).map(({ id }) => id)).toEqual([queue]);
    },
  );

  it('have periods and sums that CloudWatch allows', () => {
    for (const [id, { Properties }] of alarms()) {
      const { Period, EvaluationPeriods, Metrics = [], AlarmDescription } = Properties;
      const periods = [
        Period ?? 60,
        ...(Metrics as { MetricStat?: { Period: number } }[]).map(
          ({ MetricStat }) => MetricStat?.Period ?? 60,
        ),
      ];
      for (const each of periods) {
        expect(Number(each) % 60, id).toBe(0);
        expect(Number(each) * Number(EvaluationPeriods), id).toBeLessThanOrEqual(86_400);
      }
      expect((Metrics as unknown[]).length, id).toBeLessThanOrEqual(11);
      expect(String(AlarmDescription).length, id).toBeLessThanOrEqual(1024);
    }
  });

  it('send to the purchase first, if their lines name one', () => {
    const ids = ['PurchaseSlow', 'StepFailed', 'StepWaits', 'SettlementTryFailed', 'SettlementWaits'];
    const descriptions = [...ids, 'SettlementNeedsPerson', 'SweepFailed'].map(
      (id) => alarmOf(id).AlarmDescription,
    );

    for (const each of descriptions) expect(each).toContain('First look: Run `ops tx show` with the line’s');
  });

  it('link to their sections of the run-books', () => {
    const headings = [...readFileSync(fileOf('runbooks.md'), 'utf8').matchAll(/^### (.+)$/gm)].map(([, id]) =>
      id!.toLowerCase(),
    );
    for (const [id, { Properties }] of alarms()) {
      const [, anchor] =
        /Run-book: docs\/runbooks\.md#(\w+)$/.exec(String(Properties.AlarmDescription)) ?? [];
      expect(headings, id).toContain(anchor);
    }
  });
});

describe('the access logs of the APIs', () => {
  it.each([
    ['ApiThrottled', '{ $.responseType = "THROTTLED" }'],
    ['ApiFailed', '{ ($.status = "5*") && ($.responseType != "-") }'],
  ])('give %s, which counts answers that are API Gateway’s own', (MetricName, FilterPattern) => {
    const filters = Object.values(production.resources('AWS::Logs::MetricFilter'))
      .map(({ Properties }) => Properties)
      .filter((properties) => properties.FilterPattern === FilterPattern);
    const apis = Object.keys(production.resources('AWS::ApiGateway::RestApi'));

    expect(filters).toHaveLength(apis.length);
    for (const { MetricTransformations } of filters)
      expect(MetricTransformations).toMatchObject([
        { MetricNamespace: 'Onramp/production', MetricName, MetricValue: '1' },
      ]);
  });
});

describe('the dashboard', () => {
  // https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/CloudWatch-Dashboard-Body-Structure.html
  it('shows every alarm once, in widgets that stay far below the 100 alarms that CloudWatch shows in one', () => {
    const shown = widgetsOfDashboard().flatMap(({ type, properties }) =>
      type === 'alarm' ? [properties.alarms ?? []] : [],
    );

    expect(shown.flat()).toHaveLength(Object.keys(production.resources('AWS::CloudWatch::Alarm')).length);
    expect(new Set(shown.flat()).size).toBe(shown.flat().length);
    for (const alarms of shown) {
      expect(alarms.length).toBeGreaterThan(0);
      expect(alarms.length).toBeLessThanOrEqual(50);
    }
  });

  it('shows metrics that exist, and every business metric', () => {
    const stats = statsOfDashboard();

    for (const stat of stats) stat.Namespace.startsWith('AWS/') ? expectFromAws(stat) : expectOwn(stat);
    expect(
      new Set(
        stats
          .filter(({ Namespace }) => Namespace === 'Onramp/production')
          .map(({ MetricName }) => MetricName),
      ),
    ).toEqual(new Set(Object.keys(METRICS)));
  });
});

describe('the subscribers of the alarms', () => {
  const subscribed = async (alarmsTo?: string) => {
    const { stack } = await onrampApp({ stage: 'production', ...(alarmsTo && { alarmsTo }) });
    return Annotations.fromStack(stack).findWarning('*', Match.stringLikeRegexp('Alarms reach no person'));
  };

  it('are missing in a deployment that names none, and it warns', async () => {
    expect(await subscribed()).toHaveLength(1);
    expect(await subscribed('oncall@example.com')).toEqual([]);
  });

  it('get each alarm by e-mail or by https', async () => {
    const { resources } = await synthesized('production', {
      alarmsTo: 'oncall@example.com, https://events.example.com/enqueue',
    });

    expect(
      Object.values(resources('AWS::SNS::Subscription')).map(({ Properties }) => Properties),
    ).toMatchObject([
      { Protocol: 'email', Endpoint: 'oncall@example.com' },
      { Protocol: 'https', Endpoint: 'https://events.example.com/enqueue' },
    ]);
  });

  it.each(['oncall', 'http://events.example.com', 'a@example.com;b@example.com'])(
    'cannot be %s',
    async (alarmsTo) => {
      await expect(onrampApp({ stage: 'production', alarmsTo })).rejects.toThrow(/alarmsTo must be/);
    },
  );
});
