import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { lifeOf } from './lifecycle.ts';
import { acknowledge } from './nag.ts';
import type { Stage } from './stage.ts';

/** The file of authorities that may sign the payment provider's certificates. An operator uploads it. */
export class TrustStore extends Construct {
  readonly bucket: Bucket;

  constructor(scope: Construct, id: string, stage: Stage) {
    super(scope, id);
    this.bucket = new Bucket(this, 'Bucket', {
      versioned: true,
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      enforceSSL: true,
      removalPolicy: lifeOf(stage),
    });
    acknowledge(this.bucket, 'S1', 'API Gateway alone reads it; who changes it is in CloudTrail.');
  }
}
