import { type IRole, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  type Alias,
  Architecture,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Duration, RemovalPolicy } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { CodeBundle } from './bundle.ts';
import { variable } from './grant.ts';
import type { LateRuns } from './late-runs.ts';
import { logGroupFor } from './logs.ts';
import { acknowledgeTelemetry } from './nag.ts';
import { CONSUMER_TIMEOUT } from './queues.ts';
import { OwnRole } from './role.ts';
import type { Settings } from './settings.ts';
import type { Kind } from './sources.ts';

/**
 * The limits of each kind of function. A function must end before its caller stops waiting: API Gateway after 29 s, the
 * state machine after 45 s.
 */
export const LIMITS: Record<Kind, { timeout: Duration; memorySize: number }> = {
  api: { timeout: Duration.seconds(25), memorySize: 1024 },
  callbacks: { timeout: Duration.seconds(10), memorySize: 512 },
  steps: { timeout: Duration.seconds(30), memorySize: 512 },
  queues: { timeout: CONSUMER_TIMEOUT, memorySize: 512 },
  schedules: { timeout: Duration.seconds(55), memorySize: 512 },
};

/** The limits of functions that handle very many items in one run. */
const LIMITS_OF: Record<string, { timeout: Duration; memorySize: number }> = {
  // Publishers may be slow, and all lists are in memory while their index is built.
  RefreshLists: { timeout: Duration.minutes(10), memorySize: 2048 },
  // After an outage of a day, one run compares the payments of a whole day.
  ReconcileBooks: { timeout: Duration.minutes(8), memorySize: 1024 },
  // The manifest of a day names every object that was archived on that day.
  ArchiveHistories: { timeout: Duration.minutes(4), memorySize: 1024 },
  // After a change of the lists, every client with a valid KYC token is screened again.
  RescreenClients: { timeout: Duration.minutes(4), memorySize: 1024 },
};

type FunctionProps = {
  settings: Settings;
  code: CodeBundle;
  handler: string;
  kind: Kind;
  environment?: Record<string, string>;
  /** A role that exists before the function. Without it the function gets a role of its own. */
  role?: IRole;
  /** Set for a function that EventBridge invokes: how long an event waits if its run could not start. */
  lateRuns?: LateRuns;
};

/** A Lambda function with the properties that all functions share. */
export class OnrampFunction extends LambdaFunction {
  /**
   * The role of the function. In CDK's type it may be undefined, but a function that was not imported always has one.
   */
  declare readonly role: IRole;
  private alias?: Alias;

  constructor(
    scope: Construct,
    id: string,
    { settings, code, handler, kind, environment, role, lateRuns }: FunctionProps,
  ) {
    const { stage, attempt } = settings;
    const logGroup = logGroupFor(scope, `${id}Logs`, stage);
    super(scope, id, {
      ...(LIMITS_OF[id] ?? LIMITS[kind]),
      // Lambda makes a new version only if the code or the configuration has changed. The description is configuration,
      // so a repeated deployment of the same code gets new versions.
      description: attempt > 1 ? `Attempt ${attempt}` : undefined,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: Code.fromAsset(code.directory, { assetHash: code.hash }),
      handler: `${handler}.handler`,
      environment: { ...commonTo(settings), ...environment },
      role: logsBy(role ?? newRole(scope, id), logGroup),
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      tracing: Tracing.ACTIVE,
      ...lateRuns,
      reservedConcurrentExecutions: reservedFor(id, settings),
      // An execution of the state machine needs the version with which it began until its end: docs/architecture.md,
      // "The parts".
      currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN },
    });
    acknowledgeTelemetry(this);
  }

  /** The alias by which callers invoke the function. `canary.ts` says how a new version takes over. */
  get live(): Alias {
    this.alias ??= this.addAlias('live');
    return this.alias;
  }
}

const reservedFor = (id: string, { edge }: Settings): number | undefined =>
  (edge.reservedConcurrency as Partial<Record<string, number>> | null | undefined)?.[id];

/** The variables of every function. Only a local sandbox has a `patience` above 1: `sandbox/sandbox.ts`. */
const commonTo = ({ stage, minuteSeconds, patience }: Settings) => ({
  ...variable('stage', stage),
  ...variable('minuteSeconds', String(minuteSeconds)),
  ...(patience !== 1 && variable('patience', String(patience))),
});

const newRole = (scope: Construct, id: string) =>
  new OwnRole(scope, `${id}Role`, new ServicePrincipal('lambda.amazonaws.com'));

// Allows the function to write only its own log. AWS's managed policy would allow every log of the account.
function logsBy(role: IRole, logGroup: LogGroup): IRole {
  role.addToPrincipalPolicy(
    new PolicyStatement({
      actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      resources: [logGroup.logGroupArn],
    }),
  );
  acknowledgeTelemetry(role);
  return role;
}
