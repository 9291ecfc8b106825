import { SQSClient, type SQSClientConfig } from '@aws-sdk/client-sqs';

// This is a module of its own, so that a lazy import loads only the client and not every command of its package.
// The endpoint is that of the region, or of the local cloud, whatever host a queue's URL names.
export const makeClient = (options: SQSClientConfig) =>
  new SQSClient({ ...options, useQueueUrlAsEndpoint: false });
