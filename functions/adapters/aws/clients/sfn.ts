import { SFNClient, type SFNClientConfig } from '@aws-sdk/client-sfn';

// A separate module, so that a lazy import loads the client alone and not every command of its package.
export const makeClient = (options: SFNClientConfig) => new SFNClient(options);
