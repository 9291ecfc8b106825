import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { lifeOf } from './lifecycle.ts';
import { acknowledge } from './nag.ts';
import type { Stage } from './stage.ts';

type VersionedBucketProps = {
  stage: Stage;
  /** Why the bucket needs no access log of its own. */
  withoutAccessLog: string;
};

/** A private bucket that keeps every version of its objects. */
export class VersionedBucket extends Bucket {
  constructor(scope: Construct, id: string, { stage, withoutAccessLog }: VersionedBucketProps) {
    super(scope, id, {
      versioned: true,
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      enforceSSL: true,
      removalPolicy: lifeOf(stage),
    });
    acknowledge(this, 'S1', withoutAccessLog);
  }
}
