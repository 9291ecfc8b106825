import { SQSClient, type SQSClientConfig } from '@aws-sdk/client-sqs';

// This is a module of its own, so that a lazy import loads only the client and not every command of its package.
export const makeClient = (options: SQSClientConfig) => new SQSClient(options);
