import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';

// This is a module of its own, so that a lazy import loads only the client and not every command of its package.
export const makeClient = (options: S3ClientConfig) => new S3Client(options);
