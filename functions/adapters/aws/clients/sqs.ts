import { SQSClient, type SQSClientConfig } from '@aws-sdk/client-sqs';

// A separate module, so that a lazy import loads the client alone and not every command of its package.
export const makeClient = (options: SQSClientConfig) => new SQSClient(options);
