import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';

// A separate module, so that a lazy import loads the client alone and not every command of its package.
export const makeClient = (options: S3ClientConfig) => new S3Client(options);
