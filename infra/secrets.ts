import { type ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { SecretValue, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { lifeOf } from './lifecycle.ts';
import { acknowledge } from './nag.ts';
import type { ProviderSecrets } from './provider-secrets.ts';
import type { Settings } from './settings.ts';
import type { Stage } from './stage.ts';

/**
 * The key of the look-up hashes, by which a client is found although no CPF is stored in clear. With another key no
 * client could be found any more.
 */
export function lookupSecret(scope: Construct, id: string, stage: Stage): ISecret {
  const secret = new Secret(scope, id, {
    generateSecretString: { passwordLength: 64, excludePunctuation: true },
    removalPolicy: lifeOf(stage),
  });
  acknowledge(secret, 'SMG4', 'With another key no client would be found again.');
  return secret;
}

/** The secrets of the providers. */
export class Secrets extends Construct {
  readonly pix: ISecret;
  /** The token and the Pix key that the callbacks' function checks. They give no access to the provider. */
  readonly pixCallback: ISecret;
  readonly identity: ISecret;
  readonly cpfRegistry: ISecret;
  readonly companyRegistry: ISecret;
  /** The addresses of the nodes. Each carries a key of ours. */
  readonly chain: ISecret;
  /** Present only if the stage has a vendor that judges wallets. */
  readonly walletScreening?: ISecret;

  constructor(scope: Construct, id: string, props: { settings: Settings; known?: ProviderSecrets }) {
    super(scope, id);
    const { settings, known } = props;
    const { stage } = settings;
    this.pix = providerSecret(this, 'Pix', stage, known?.pix);
    this.pixCallback = providerSecret(this, 'PixCallback', stage, known?.pixCallback);
    this.identity = providerSecret(this, 'Identity', stage, known?.identity);
    this.cpfRegistry = providerSecret(this, 'CpfRegistry', stage, known?.cpfRegistry);
    this.companyRegistry = providerSecret(this, 'CompanyRegistry', stage, known?.companyRegistry);
    this.chain = providerSecret(this, 'Chain', stage, known?.chain);
    if (settings.walletScreening) {
      this.walletScreening = providerSecret(this, 'WalletScreening', stage, known?.walletScreening);
    }
    acknowledge(this, 'SMG4', 'The providers issue these.');
  }
}

function providerSecret(scope: Construct, id: string, stage: Stage, known?: object): ISecret {
  const removalPolicy = lifeOf(stage);
  if (known) {
    // The simulators' public demo credentials. They give access to nothing outside of the sandbox.
    const secretStringValue = SecretValue.unsafePlainText(Stack.of(scope).toJsonString(known));
    return new Secret(scope, id, { secretStringValue, removalPolicy });
  }
  const placeholder = { secretStringTemplate: '{}', generateStringKey: 'toBeFilledByOperations' };
  return new Secret(scope, id, { generateSecretString: placeholder, removalPolicy });
}
