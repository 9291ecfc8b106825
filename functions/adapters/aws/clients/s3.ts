import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';

// A module of ours, so that a lazy import brings the client alone and not every command of its package.
export const makeClient = (options: S3ClientConfig) => new S3Client(options);
