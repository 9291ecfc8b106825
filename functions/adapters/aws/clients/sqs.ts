import { SQSClient, type SQSClientConfig } from '@aws-sdk/client-sqs';

// A module of ours, so that a lazy import brings the client alone and not every command of its package.
export const makeClient = (options: SQSClientConfig) => new SQSClient(options);
