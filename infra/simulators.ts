import { LambdaIntegration } from 'aws-cdk-lib/aws-apigateway';
import { AttributeType, type Table } from 'aws-cdk-lib/aws-dynamodb';
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { OnrampApi } from './api.ts';
import type { CodeBundle } from './bundle.ts';
import { rows } from './grant.ts';
import { EACH_MINUTE } from './late-runs.ts';
import { lifeOf } from './lifecycle.ts';
import { acknowledge } from './nag.ts';
import { OnrampFunction } from './onramp-function.ts';
import type { Settings } from './settings.ts';
import type { Stage } from './stage.ts';
import { makeTable } from './tables.ts';

type SimulatorsProps = {
  settings: Settings;
  code: CodeBundle;
  state: SimulatorsState;
  environment: Record<string, string>;
};

/** The simulators' table, and the key of their control interface. */
export class SimulatorsState extends Construct {
  readonly table: Table;
  readonly controlKey: Secret;

  constructor(scope: Construct, id: string, { stage, key }: { stage: Stage; key: IKey }) {
    super(scope, id);
    this.table = makeTable(
      this,
      'Table',
      { stage, key },
      {
        partitionKey: { name: 'folder', type: AttributeType.STRING },
        sortKey: { name: 'id', type: AttributeType.STRING },
        timeToLiveAttribute: 'expiresAt',
      },
    );
    // The simulators' API is on the internet, and its control interface can pay purchases, so it needs a key. The
    // template has only a reference to the secret. CloudFormation writes the value into the environments.
    this.controlKey = new Secret(this, 'ControlKey', {
      generateSecretString: { passwordLength: 32, excludePunctuation: true },
      removalPolicy: lifeOf(stage),
    });
    acknowledge(
      this.controlKey,
      'SMG4',
      'It opens simulators only, and the functions would not learn of another.',
    );
  }
}

/** The simulated providers of a deployed sandbox: one Lambda with an API of its own. */
export class Simulators extends Construct {
  readonly table: Table;
  readonly url: string;
  /** The variables that a function needs to use the control interface. */
  readonly variables: Record<string, string>;
  readonly outputs: Record<string, string>;

  constructor(scope: Construct, id: string, { settings, code, state, environment }: SimulatorsProps) {
    super(scope, id);
    const { stage } = settings;
    const { table, controlKey } = state;
    this.table = table;
    const { variables, allow } = rows('SIMULATORS_TABLE', table, [
      'BatchGetItem',
      'GetItem',
      'Query',
      'UpdateItem',
    ]);

    const simulate = new OnrampFunction(this, 'Function', {
      settings,
      code,
      handler: 'providers/handler',
      kind: 'api',
      environment: { ...environment, ...variables, CONTROL_KEY: controlKey.secretValue.unsafeUnwrap() },
      lateRuns: EACH_MINUTE,
    });
    allow?.(simulate.role);
    const api = new OnrampApi(this, 'Api', {
      stage,
      name: 'onramp-simulators',
      binaryMediaTypes: ['application/zip'],
    });
    api.root.addProxy({ defaultIntegration: new LambdaIntegration(simulate, { allowTestInvoke: false }) });
    this.url = api.address;
    this.variables = { SIMULATORS_URL: this.url, CONTROL_KEY: controlKey.secretValue.unsafeUnwrap() };
    this.outputs = {
      SimulatorsUrl: this.url,
      SimulatorsTable: table.tableName,
      ControlKeySecret: controlKey.secretArn,
    };
    this.tick(simulate);
  }

  // Calls the simulators each minute. Real providers also act by themselves, for example when a refund arrives, but a
  // Lambda does nothing between two calls.
  private tick(simulate: OnrampFunction): void {
    const event = RuleTargetInput.fromObject({ tick: true });
    const targets = [new LambdaFunction(simulate, { event, retryAttempts: 0 })];
    new Rule(this, 'Tick', { schedule: Schedule.rate(Duration.minutes(1)), targets });
  }
}
