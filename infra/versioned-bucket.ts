import type { IKey } from 'aws-cdk-lib/aws-kms';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type ObjectLockRetention,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { lifeOf } from './lifecycle.ts';
import { acknowledge } from './nag.ts';
import type { Stage } from './stage.ts';

type VersionedBucketProps = {
  stage: Stage;
  /** Why the bucket needs no access log of its own. */
  withoutAccessLog: string;
  /** Without a key of our own S3 encrypts with its key. */
  key?: IKey;
  /** How long each version is locked. */
  lock?: ObjectLockRetention;
};

/** A private bucket that keeps every version of its objects. */
export class VersionedBucket extends Bucket {
  constructor(scope: Construct, id: string, { stage, withoutAccessLog, key, lock }: VersionedBucketProps) {
    super(scope, id, {
      versioned: true,
      encryption: key ? BucketEncryption.KMS : BucketEncryption.S3_MANAGED,
      encryptionKey: key,
      bucketKeyEnabled: key && true,
      objectLockDefaultRetention: lock,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      enforceSSL: true,
      removalPolicy: lifeOf(stage),
    });
    acknowledge(this, 'S1', withoutAccessLog);
  }
}
