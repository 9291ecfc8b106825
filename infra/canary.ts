/**
 * How a new version of a main function takes over: it gets a tenth of the calls for five minutes, and then all
 * calls. If an alarm is raised in that time, the former version gets all calls again and the deployment
 * fails: docs/architecture.md, "The parts".
 */
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnApplication, CfnDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { PolicyStatement, type Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Alias, CfnAlias } from 'aws-cdk-lib/aws-lambda';
import { Construct, type Node } from 'constructs';
import { getOf } from '../functions/domain/get.ts';
import { acknowledge } from './nag.ts';
import { OwnRole } from './role.ts';

/**
 * The functions whose new version takes over slowly: the main endpoints, and what takes callbacks and sends webhooks.
 * Their deployments all start at once, and Lambda throttles CodeDeploy if they are many. Every other function changes
 * at once.
 */
const MAIN = [
  ...['SubmitKyc', 'GetKycStatus', 'CreateQuote'],
  ...['InitiateTransaction', 'ConfirmMfa', 'GetTransactionStatus'],
  ...['PixReceived', 'LivenessReviewed', 'ProcessCallback', 'DeliverWebhook'],
];

/** The share of calls that a new version gets first, in percent, and for how long. */
export const CANARY = { percentage: 10, minutes: 5 } as const;

/**
 * The alarms that may stop a deployment. With `-c canary=off` there are none, and a new version gets all calls at once.
 * Otherwise AWS refuses a deployment while one of its alarms rings, even if it mends the cause.
 */
export function stoppingAlarms(alarms: readonly Alarm[], node: Node): readonly Alarm[] | undefined {
  const canary: unknown = node.tryGetContext('canary') ?? 'on';
  if (canary !== 'on' && canary !== 'off') throw new Error(`canary may be on or off, not ${String(canary)}`);
  return canary === 'on' ? alarms : undefined;
}

type CanariesProps = { aliases: readonly Alias[]; alarms?: readonly Alarm[] };

export class Canaries extends Construct {
  constructor(scope: Construct, id: string, { aliases, alarms }: CanariesProps) {
    super(scope, id);
    const canary = `Canary${CANARY.percentage}Percent${CANARY.minutes}Minutes`;
    const application = new CfnApplication(this, 'Application', { computePlatform: 'Lambda' });
    const byName = new Map(aliases.map((alias) => [alias.lambda.node.id, alias]));
    for (const name of MAIN) {
      const alias = getOf(byName, name);
      const group = new CfnDeploymentGroup(this, name, {
        applicationName: application.ref,
        serviceRoleArn: this.roleFor(name, alias).roleArn,
        deploymentConfigName: `CodeDeployDefault.Lambda${alarms ? canary : 'AllAtOnce'}`,
        deploymentStyle: { deploymentType: 'BLUE_GREEN', deploymentOption: 'WITH_TRAFFIC_CONTROL' },
        alarmConfiguration: {
          enabled: alarms !== undefined,
          alarms: alarms?.map(({ alarmName: name }) => ({ name })),
        },
        autoRollbackConfiguration: { enabled: true, events: ROLLBACK_EVENTS },
      });
      (alias.node.defaultChild as CfnAlias).cfnOptions.updatePolicy = {
        codeDeployLambdaAliasUpdate: {
          applicationName: application.ref,
          deploymentGroupName: group.ref,
        },
      };
    }
  }

  // A role for each alias, because CodeDeploy's error counts the requests of a role. It is our own, because AWS's
  // managed policy allows every alias of the account. The role names the alias by text: the alias waits for its
  // deployment group, which waits for the role.
  private roleFor(name: string, { lambda, aliasName }: Alias): Role {
    const arn = `${lambda.functionArn}:${aliasName}`;
    const role = new OwnRole(this, `${name}Role`, new ServicePrincipal('codedeploy.amazonaws.com'));
    role.addToPrincipalPolicy(
      new PolicyStatement({
        actions: ['lambda:GetAlias', 'lambda:UpdateAlias'],
        resources: [lambda.functionArn, arn],
      }),
    );
    // AWS checks this permission for an alias or a version, and never for the function itself.
    role.addToPrincipalPolicy(
      new PolicyStatement({
        actions: ['lambda:GetProvisionedConcurrencyConfig'],
        resources: [arn],
      }),
    );
    role.addToPrincipalPolicy(
      new PolicyStatement({ actions: ['cloudwatch:DescribeAlarms'], resources: ['*'] }),
    );
    acknowledge(role, 'IAM5[Resource::*]', 'CodeDeploy asks for all alarms of a group at once.');
    return role;
  }
}

const ROLLBACK_EVENTS = ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_ALARM', 'DEPLOYMENT_STOP_ON_REQUEST'];
