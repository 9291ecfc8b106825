import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import type { Stage } from './stage.ts';
import { VersionedBucket } from './versioned-bucket.ts';

/** The file of authorities that may sign the payment provider's certificates. An operator uploads it. */
export class TrustStore extends Construct {
  readonly bucket: Bucket;

  constructor(scope: Construct, id: string, stage: Stage) {
    super(scope, id);
    const withoutAccessLog = 'API Gateway alone reads it; who changes it is in CloudTrail.';
    this.bucket = new VersionedBucket(this, 'Bucket', { stage, withoutAccessLog });
  }
}
