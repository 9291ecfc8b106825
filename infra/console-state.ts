import {
  AccountRecovery,
  CfnUserPoolGroup,
  FeaturePlan,
  type IUserPool,
  Mfa,
  UserPool,
} from 'aws-cdk-lib/aws-cognito';
import { type ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { type ConsoleSettings, OWN_GROUPS } from './console-settings.ts';
import { lifeOf } from './lifecycle.ts';
import { acknowledge } from './nag.ts';
import type { Stage } from './stage.ts';

const LEAST_PASSWORD = 14;

/**
 * The state of the console: the key that signs its sessions, and a user pool with its people unless another
 * issuer has them.
 */
export class ConsoleState extends Construct {
  readonly key: ISecret;
  readonly people?: IUserPool;

  constructor(scope: Construct, id: string, { stage, issuer }: ConsoleSettings & { stage: Stage }) {
    super(scope, id);
    this.key = new Secret(this, 'Key', {
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      removalPolicy: lifeOf(stage),
    });
    acknowledge(this.key, 'SMG4', 'Another key ends all sessions: an operator decides when.');
    if (!issuer) this.people = peopleOf(this, stage);
  }
}

/** People cannot sign up. An administrator adds a person, and puts the person into the group of a role. */
function peopleOf(scope: Construct, stage: Stage): UserPool {
  const pool = new UserPool(scope, 'People', {
    featurePlan: FeaturePlan.ESSENTIALS,
    selfSignUpEnabled: false,
    signInAliases: { email: true },
    signInCaseSensitive: false,
    standardAttributes: { email: { required: true, mutable: true } },
    passwordPolicy: {
      minLength: LEAST_PASSWORD,
      requireLowercase: true,
      requireUppercase: true,
      requireDigits: true,
      requireSymbols: true,
    },
    mfa: Mfa.REQUIRED,
    mfaSecondFactor: { otp: true, sms: false },
    accountRecovery: AccountRecovery.EMAIL_ONLY,
    deletionProtection: stage === 'production',
    removalPolicy: lifeOf(stage),
  });
  acknowledge(pool, 'COG8', 'Threat protection costs more per person; all have a second factor instead.');
  for (const groupName of Object.values(OWN_GROUPS)) {
    const groupOf = { userPoolId: pool.userPoolId, groupName };
    new CfnUserPoolGroup(scope, groupName.charAt(0).toUpperCase() + groupName.slice(1), groupOf);
  }
  return pool;
}
