import { SecretsManagerClient, type SecretsManagerClientConfig } from '@aws-sdk/client-secrets-manager';

// A separate module, so that a lazy import loads the client alone and not every command of its package.
export const makeClient = (options: SecretsManagerClientConfig) => new SecretsManagerClient(options);
