import { SecretsManagerClient, type SecretsManagerClientConfig } from '@aws-sdk/client-secrets-manager';

// This is a module of its own, so that a lazy import loads only the client and not every command of its package.
export const makeClient = (options: SecretsManagerClientConfig) => new SecretsManagerClient(options);
