import { SFNClient, type SFNClientConfig } from '@aws-sdk/client-sfn';

// A module of ours, so that a lazy import brings the client alone and not every command of its package.
export const makeClient = (options: SFNClientConfig) => new SFNClient(options);
