import { KMSClient, type KMSClientConfig } from '@aws-sdk/client-kms';

// A module of ours, so that a lazy import brings the client alone and not every command of its package.
export const makeClient = (options: KMSClientConfig) => new KMSClient(options);
