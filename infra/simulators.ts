import { LambdaIntegration, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { addressOf, OnrampApi } from './api.ts';
import type { Bundle } from './bundle.ts';
import { OnrampFunction } from './functions.ts';
import { rows, SIMULATOR_ACTIONS } from './grants.ts';
import type { Settings } from './settings.ts';
import { tableOf } from './tables.ts';

type SimulatorsProps = { settings: Settings; code: Bundle; key: IKey };

/** The providers of the sandbox, played by one Lambda behind an API of its own. */
export class Simulators extends Construct {
  readonly table: Table;
  readonly url: string;

  constructor(scope: Construct, id: string, { settings, code, key }: SimulatorsProps) {
    super(scope, id);
    const { stage } = settings;
    this.table = tableOf(this, 'Table', { stage, key });
    const { variables, allow } = rows('SIMULATORS_TABLE', this.table, SIMULATOR_ACTIONS);

    const simulate = new OnrampFunction(this, 'Function', {
      settings,
      code,
      handler: 'providers/handler',
      kind: 'api',
      environment: variables,
    });
    allow?.(simulate.role!);
    const api: RestApi = new OnrampApi(this, 'Api', { stage, name: 'onramp-simulators' });
    api.root.addProxy({ defaultIntegration: new LambdaIntegration(simulate, { allowTestInvoke: false }) });
    this.url = addressOf(api, stage);
    this.tick(simulate);
  }

  // A provider also acts unasked, as when a refund has arrived; a Lambda does nothing between two calls.
  private tick(simulate: OnrampFunction): void {
    const event = RuleTargetInput.fromObject({ tick: true });
    const targets = [new LambdaFunction(simulate, { event, retryAttempts: 0 })];
    new Rule(this, 'Tick', { schedule: Schedule.rate(Duration.minutes(1)), targets });
  }
}
