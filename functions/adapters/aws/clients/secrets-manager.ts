import { SecretsManagerClient, type SecretsManagerClientConfig } from '@aws-sdk/client-secrets-manager';

// A module of ours, so that a lazy import brings the client alone and not every command of its package.
export const makeClient = (options: SecretsManagerClientConfig) => new SecretsManagerClient(options);
