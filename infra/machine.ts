import { readFileSync } from 'node:fs';
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { PolicyStatement, type Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import {
  CfnStateMachineAlias,
  CfnStateMachineVersion,
  DefinitionBody,
  LogLevel,
  StateMachine,
  StateMachineType,
} from 'aws-cdk-lib/aws-stepfunctions';
import { RemovalPolicy } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { Chain } from '../functions/adapters/chain/chain.ts';
import { getOf } from '../functions/domain/get.ts';
import { MACHINE_ALIAS } from '../functions/settings.ts';
import { CANARY } from './canary.ts';
import type { Functions } from './functions.ts';
import { lifeOfNamed } from './lifecycle.ts';
import { logGroupFor } from './logs.ts';
import { acknowledgeTelemetry, acknowledgeWildcard } from './nag.ts';
import type { OnrampFunction } from './onramp-function.ts';
import { OwnRole } from './role.ts';
import type { Settings } from './settings.ts';
import type { Stage } from './stage.ts';
import { sampleTraces } from './tracing.ts';

export type MachineDefinition = { StartAt: string; States: Record<string, StateDefinition> };
type StateDefinition = {
  Type: string;
  Resource?: string;
  TimeoutSeconds?: number;
  [key: string]: unknown;
};

const SECONDS_PER_MINUTE = 60;
const WAITS = 'arn:aws:states:::lambda:invoke.waitForTaskToken';

export function readDefinition(): MachineDefinition {
  const file = new URL('../statemachines/onramp.asl.json', import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as MachineDefinition;
}

/** The names between `${` and `}` in the definition: the functions that its Task states call. */
export function tasksOf(definition: MachineDefinition): string[] {
  const names = JSON.stringify(definition).matchAll(/\$\{(\w+)\}/g);
  return [...new Set([...names].map(([, name = '']) => name))];
}

/**
 * Converts the time-outs of the states that wait for a task token: a minute gets `minuteSeconds` seconds.
 * Other time limits stay, because partners never notice them.
 */
function scaleWaits(definition: MachineDefinition, minuteSeconds: number): MachineDefinition {
  const scale = (state: StateDefinition): StateDefinition => {
    if (state.Resource !== WAITS || state.TimeoutSeconds === undefined) return state;
    const seconds = (state.TimeoutSeconds / SECONDS_PER_MINUTE) * minuteSeconds;
    return { ...state, TimeoutSeconds: Math.max(1, Math.round(seconds)) };
  };
  const states = Object.entries(definition.States).map(([name, state]) => [name, scale(state)]);
  return { ...definition, States: Object.fromEntries(states) };
}

type Retrier = { ErrorEquals: string[]; IntervalSeconds: number };

/**
 * Sets the pause before the machine looks again at a mined transfer that lacks confirmations. The pause is
 * the time in which the chain makes the stage's number of confirmations.
 */
export function paceLooks(
  definition: MachineDefinition,
  chain: Pick<Chain, 'confirmations' | 'blockSeconds'>,
): MachineDefinition {
  const IntervalSeconds = Math.max(1, Math.ceil(chain.confirmations * chain.blockSeconds));
  const settle = getOf(new Map(Object.entries(definition.States)), 'SettleStablecoin');
  const retriers = (settle.Retry as Retrier[]).map((retrier) =>
    retrier.ErrorEquals.includes('AwaitingDepth') ? { ...retrier, IntervalSeconds } : retrier,
  );
  return {
    ...definition,
    States: { ...definition.States, SettleStablecoin: { ...settle, Retry: retriers } },
  };
}

type MachineProps = { settings: Settings; functions: Functions };

/**
 * How a new version of the machine takes over: it first gets a tenth of the executions. If one of the alarms rings, the
 * former version gets all of them again.
 */
const canaryWith = (alarms: readonly Alarm[]) => ({
  type: 'CANARY',
  percentage: CANARY.percentage,
  interval: CANARY.minutes,
  alarms: alarms.map(({ alarmName }) => alarmName),
});

/** The state machine that drives one purchase. */
export class Machine extends Construct {
  readonly stateMachine: StateMachine;

  constructor(scope: Construct, id: string, { settings, functions }: MachineProps) {
    super(scope, id);
    const { stage, minuteSeconds, chain, tracedShare } = settings;
    const stateMachineName = `onramp-${stage}`;
    const definition = paceLooks(scaleWaits(readDefinition(), minuteSeconds), chain);
    const steps = tasksOf(definition).map((name) => functions.find(name));
    const versions = steps.map((step) => [step.node.id, step.currentVersion.functionArn] as const);
    this.stateMachine = new StateMachine(this, 'Onramp', {
      stateMachineName,
      stateMachineType: StateMachineType.STANDARD,
      definitionBody: DefinitionBody.fromString(JSON.stringify(definition)),
      definitionSubstitutions: Object.fromEntries(versions),
      role: this.roleFor(steps),
      tracingEnabled: true,
      logs: { destination: this.logs(stage), level: LogLevel.ALL, includeExecutionData: false },
      removalPolicy: lifeOfNamed(stage),
    });
    sampleTraces(this, stateMachineName, tracedShare);
    acknowledgeTelemetry(this);
  }

  /**
   * Creates a version of the machine for each change, and the alias that callers start. A new version first gets a
   * tenth of the executions. If an alarm rings, the alias goes back: docs/architecture.md, "The parts". Without
   * alarms the new version gets all executions at once.
   */
  putLive(alarms?: readonly Alarm[]): void {
    const { stateMachineArn, stateMachineRevisionId } = this.stateMachine;
    const version = new CfnStateMachineVersion(this, 'Version', {
      stateMachineArn,
      stateMachineRevisionId,
    });
    version.applyRemovalPolicy(RemovalPolicy.RETAIN);
    new CfnStateMachineAlias(this, 'Live', {
      name: MACHINE_ALIAS,
      deploymentPreference: {
        stateMachineVersionArn: version.ref,
        ...(alarms ? canaryWith(alarms) : { type: 'ALL_AT_ONCE' }),
      },
    });
  }

  // The role may call every version of the steps, because an execution from before a deployment calls the former
  // versions.
  private roleFor(steps: readonly OnrampFunction[]): Role {
    const role = new OwnRole(this, 'Role', new ServicePrincipal('states.amazonaws.com'));
    const resources = steps.map(({ functionArn }) => `${functionArn}:*`);
    role.addToPolicy(new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources }));
    for (const arn of resources) acknowledgeWildcard(role, arn, 'The versions of a step, by their numbers.');
    return role;
  }

  // The log leaves out the data of executions, because a waiting state's data contain its task token.
  private logs(stage: Stage): LogGroup {
    return logGroupFor(this, 'Logs', stage);
  }
}
