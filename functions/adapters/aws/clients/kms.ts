import { KMSClient, type KMSClientConfig } from '@aws-sdk/client-kms';

// This is a module of its own, so that a lazy import loads only the client and not every command of its package.
export const makeClient = (options: KMSClientConfig) => new KMSClient(options);
