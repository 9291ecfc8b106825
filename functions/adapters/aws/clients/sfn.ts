import { SFNClient, type SFNClientConfig } from '@aws-sdk/client-sfn';

// This is a module of its own, so that a lazy import loads only the client and not every command of its package.
export const makeClient = (options: SFNClientConfig) => new SFNClient(options);
