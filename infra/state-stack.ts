import { UserPool } from 'aws-cdk-lib/aws-cognito';
import { Table } from 'aws-cdk-lib/aws-dynamodb';
import { Role } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Bucket, type IBucket } from 'aws-cdk-lib/aws-s3';
import { type ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib/core';
import type { Construct, IConstruct } from 'constructs';
import { ConsoleState } from './console-state.ts';
import { HistoryBucket } from './history-bucket.ts';
import { Keys } from './keys.ts';
import { Lists } from './lists.ts';
import { lookupSecret, Secrets } from './secrets.ts';
import type { Settings } from './settings.ts';
import { SimulatorsState } from './simulators.ts';
import { Tables } from './tables.ts';
import { TrustStore } from './trust-store.ts';

type StateStackProps = StackProps & { settings: Settings };

/**
 * The stack with the state: tables, keys, secrets and lists. It uses nothing of the service's stack, so it is
 * deployed first: docs/architecture.md, "The parts".
 */
export class StateStack extends Stack {
  readonly keys: Keys;
  readonly tables: Tables;
  readonly lists: IBucket;
  readonly history: IBucket;
  readonly trustStore: IBucket;
  readonly lookup: ISecret;
  /** Present only if the stage has a console. */
  readonly console?: ConsoleState;
  /**
   * Absent in a sandbox. A sandbox's providers are simulators, whose address becomes known only with the
   * service's stack.
   */
  readonly secrets?: Secrets;
  /** Present only in a sandbox. */
  readonly simulators?: SimulatorsState;

  constructor(scope: Construct, id: string, props: StateStackProps) {
    super(scope, id, { description: 'Stablecoin on-ramp: state', terminationProtection: true, ...props });
    const { settings } = props;
    const { stage } = settings;
    this.keys = new Keys(this, 'Keys', settings);
    const key = this.keys.data;
    this.tables = new Tables(this, 'Tables', { stage, key });
    this.delaySigningKeys();
    this.lists = new Lists(this, 'Lists', stage).bucket;
    this.history = new HistoryBucket(this, 'History', { settings, key }).bucket;
    this.trustStore = new TrustStore(this, 'TrustStore', stage).bucket;
    this.lookup = lookupSecret(this, 'LookupSecret', stage);
    if (settings.console) this.console = new ConsoleState(this, 'Console', { stage, ...settings.console });
    if (stage === 'production') this.secrets = new Secrets(this, 'Secrets', { settings });
    else this.simulators = new SimulatorsState(this, 'Simulators', { stage, key });
    this.exportAll();
    // An operator must fill this bucket before the service's stack is deployed. Therefore the output is in
    // this stack.
    new CfnOutput(this, 'TrustStoreBucket', { value: this.trustStore.bucketName });
  }

  // IAM knows a new role everywhere only after some seconds. KMS refuses a key whose policy names an unknown role, and
  // CloudFormation does not try again. A table with indexes takes longer than that.
  private delaySigningKeys(): void {
    for (const key of this.keys.signing) key.node.addDependency(this.tables.byName.transactions);
  }

  // Exports every name that the service's stack may use. By default CDK drops an export once nothing uses it.
  // CloudFormation then refuses the deployment, because the deployed service still imports it.
  private exportAll(): void {
    for (const value of this.node.findAll().flatMap(resourceNames))
      if (value !== undefined) this.exportValue(value);
  }
}

/** The names by which another stack can refer to a resource. */
function resourceNames(resource: IConstruct): (string | undefined)[] {
  if (resource instanceof Table) return [resource.tableName, resource.tableArn, resource.tableStreamArn];
  if (resource instanceof Key) return [resource.keyId, resource.keyArn];
  if (resource instanceof Secret) return [resource.secretArn];
  if (resource instanceof UserPool) return [resource.userPoolId];
  if (resource instanceof Bucket) return [resource.bucketName, resource.bucketArn];
  return resource instanceof Role ? [resource.roleArn] : [];
}
