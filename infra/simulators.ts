import { LambdaIntegration, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { addressOf, OnrampApi } from './api.ts';
import type { Bundle } from './bundle.ts';
import { OnrampFunction } from './functions.ts';
import { rows, SIMULATOR_ACTIONS } from './grants.ts';
import type { Settings } from './settings.ts';
import { tableOf } from './tables.ts';

type SimulatorsProps = { settings: Settings; code: Bundle; key: IKey };

const MS_PER_SECOND = 1000;

/** The providers of the sandbox, played by one Lambda behind an API of its own. */
export class Simulators extends Construct {
  readonly table: Table;
  readonly url: string;

  constructor(scope: Construct, id: string, { settings, code, key }: SimulatorsProps) {
    super(scope, id);
    const { stage, minuteSeconds } = settings;
    this.table = tableOf(this, 'Table', { stage, key });
    const { variables, allow } = rows('SIMULATORS_TABLE', this.table, SIMULATOR_ACTIONS);
    const environment = { ...variables, PSP_MINUTE_MS: String(minuteSeconds * MS_PER_SECOND) };
    const simulate = new OnrampFunction(this, 'Function', {
      settings,
      code,
      handler: 'providers/handler',
      kind: 'api',
      environment,
    });
    allow?.(simulate.role!);
    const api: RestApi = new OnrampApi(this, 'Api', { stage, name: 'onramp-simulators' });
    api.root.addProxy({ defaultIntegration: new LambdaIntegration(simulate, { allowTestInvoke: false }) });
    this.url = addressOf(api, stage);
  }
}
