/**
 * How a new version of a function takes over: it gets a tenth of the calls for five minutes, and then all
 * calls. If an alarm is raised in that time, the former version gets all calls again and the deployment
 * fails: docs/decisions.md, "Versions of the code".
 */
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnApplication, CfnDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { PolicyStatement, type Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Alias, CfnAlias } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { acknowledge } from './nag.ts';
import { OwnRole } from './role.ts';

/** The share of calls that a new version gets first, in percent, and for how long. */
export const CANARY = { percentage: 10, minutes: 5 } as const;

type CanariesProps = { aliases: readonly Alias[]; alarms: readonly Alarm[] };

export class Canaries extends Construct {
  constructor(scope: Construct, id: string, { aliases, alarms }: CanariesProps) {
    super(scope, id);
    const { percentage, minutes } = CANARY;
    const application = new CfnApplication(this, 'Application', { computePlatform: 'Lambda' });
    const role = this.roleFor(aliases);
    for (const alias of aliases) {
      const group = new CfnDeploymentGroup(this, alias.lambda.node.id, {
        applicationName: application.ref,
        serviceRoleArn: role.roleArn,
        deploymentConfigName: `CodeDeployDefault.LambdaCanary${percentage}Percent${minutes}Minutes`,
        deploymentStyle: { deploymentType: 'BLUE_GREEN', deploymentOption: 'WITH_TRAFFIC_CONTROL' },
        alarmConfiguration: { enabled: true, alarms: alarms.map(({ alarmName: name }) => ({ name })) },
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

  // A role of our own. With AWS's managed policy CodeDeploy could change every alias of the account. The role names the
  // aliases by text: each alias waits for its deployment group, which waits for the role.
  private roleFor(aliases: readonly Alias[]): Role {
    const arns = aliases.map(({ lambda, aliasName }) => `${lambda.functionArn}:${aliasName}`);
    const role = new OwnRole(this, 'Role', new ServicePrincipal('codedeploy.amazonaws.com'));
    role.addToPrincipalPolicy(
      new PolicyStatement({
        actions: ['lambda:GetAlias', 'lambda:UpdateAlias'],
        resources: [...aliases.map(({ lambda }) => lambda.functionArn), ...arns],
      }),
    );
    // AWS checks this permission for an alias or a version, and never for the function itself.
    role.addToPrincipalPolicy(
      new PolicyStatement({
        actions: ['lambda:GetProvisionedConcurrencyConfig'],
        resources: arns,
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
