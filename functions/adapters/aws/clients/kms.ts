import { KMSClient, type KMSClientConfig } from '@aws-sdk/client-kms';

// A separate module, so that a lazy import loads the client alone and not every command of its package.
export const makeClient = (options: KMSClientConfig) => new KMSClient(options);
