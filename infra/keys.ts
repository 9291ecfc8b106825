import {
  AccountRootPrincipal,
  AnyPrincipal,
  type Conditions,
  PolicyDocument,
  PolicyStatement,
  Role,
  ServicePrincipal,
} from 'aws-cdk-lib/aws-iam';
import { Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import { Duration, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { lifeOf } from './lifecycle.ts';
import type { Settings } from './settings.ts';
import type { Stage } from './stage.ts';

/**
 * The permissions of the account's administrators on a signing key. They cannot sign. An administrator who wants to
 * sign must first change the key's policy, which CloudTrail records.
 */
const ADMINISTRATION = [
  'kms:CancelKeyDeletion',
  'kms:Describe*',
  'kms:DisableKey',
  'kms:EnableKey',
  'kms:Get*',
  'kms:List*',
  'kms:PutKeyPolicy',
  'kms:ReplicateKey',
  'kms:ScheduleKeyDeletion',
  'kms:TagResource',
  'kms:UntagResource',
  'kms:UpdateKeyDescription',
];

const USE = ['kms:Encrypt', 'kms:Decrypt', 'kms:ReEncrypt*', 'kms:GenerateDataKey*', 'kms:DescribeKey'];

/** The data key, for tables, vault and alarms, and the treasury's signing keys: one for each hot wallet. */
export class Keys extends Construct {
  readonly data: Key;
  readonly signing: readonly Key[];
  /**
   * The role of the function that signs. It is created together with the keys: their policies name it, and AWS refuses
   * a policy with a role that does not exist.
   */
  readonly signer: Role;

  constructor(scope: Construct, id: string, { stage, treasuryWallets }: Settings) {
    super(scope, id);
    this.data = new Key(this, 'Data', {
      description: 'On-ramp: tables, and the vault of secrets and personal data',
      enableKeyRotation: true,
      removalPolicy: lifeOf(stage),
    });
    allowThroughDynamodb(this.data);
    allowAlarms(this.data);
    this.signer = new Role(this, 'Signer', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    // The first key's id has no number, because this key is older than the others. With another id CloudFormation would
    // create another key, which is another wallet.
    const ids = Array.from(
      { length: treasuryWallets },
      (_, index) => `Signing${index === 0 ? '' : index + 1}`,
    );
    this.signing = ids.map((each) => signingKey(this, each, { stage, signer: this.signer }));
  }

  /** The ids in the form of the setting `signingKeyIds`. */
  get signingIds(): string {
    return this.signing.map(({ keyId }) => keyId).join(',');
  }
}

function signingKey(scope: Construct, id: string, { stage, signer }: { stage: Stage; signer: Role }): Key {
  return new Key(scope, id, {
    description: 'On-ramp: signs the transfers of stablecoin',
    keySpec: KeySpec.ECC_SECG_P256K1,
    keyUsage: KeyUsage.SIGN_VERIFY,
    // With a multi-Region key, a replica in another region signs for the same wallet. A key cannot become multi-Region
    // later.
    multiRegion: true,
    pendingWindow: Duration.days(30),
    removalPolicy: lifeOf(stage),
    policy: new PolicyDocument({ statements: [administration(), signing(signer)] }),
  });
}

const administration = () =>
  new PolicyStatement({
    sid: 'Administration',
    principals: [new AccountRootPrincipal()],
    actions: ADMINISTRATION,
    resources: ['*'],
  });

// The statement that lets the role sign. It must be in the key's own policy. That policy does not delegate to
// IAM, so no policy of IAM could allow it.
const signing = (signer: Role) =>
  new PolicyStatement({
    principals: [signer],
    actions: ['kms:Sign', 'kms:GetPublicKey'],
    resources: ['*'],
  });

// Allows to use the key through DynamoDB only. A role with only this permission cannot decrypt the secrets of
// the vault.
function allowThroughDynamodb(key: Key): void {
  const { account, region } = Stack.of(key);
  key.addToResourcePolicy(
    new PolicyStatement({
      sid: 'ThroughDynamodb',
      principals: [new AnyPrincipal()],
      actions: [...USE, 'kms:CreateGrant'],
      resources: ['*'],
      conditions: {
        StringEquals: { 'kms:CallerAccount': account, 'kms:ViaService': `dynamodb.${region}.amazonaws.com` },
      },
    }),
  );
}

// Allows CloudWatch and Budgets to use the key, because the alarms' topic is encrypted with it.
function allowAlarms(key: Key): void {
  const { account } = Stack.of(key);
  const statementFor = (sid: string, service: string, conditions?: Conditions) =>
    key.addToResourcePolicy(
      new PolicyStatement({
        sid,
        principals: [new ServicePrincipal(service)],
        actions: ['kms:Decrypt', 'kms:GenerateDataKey*'],
        resources: ['*'],
        conditions,
      }),
    );
  statementFor('AlarmsToTopic', 'cloudwatch.amazonaws.com');
  statementFor('BudgetToTopic', 'budgets.amazonaws.com', {
    StringEquals: { 'aws:SourceAccount': account },
  });
}
