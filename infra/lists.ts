import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import type { Stage } from './stage.ts';
import { VersionedBucket } from './versioned-bucket.ts';

/**
 * The bucket of the sanctions lists, which `RefreshLists` writes. Its versioning keeps every list that was ever in
 * force.
 */
export class Lists extends Construct {
  readonly bucket: Bucket;

  constructor(scope: Construct, id: string, stage: Stage) {
    super(scope, id);
    const withoutAccessLog = 'The lists are public documents; who changes them is in CloudTrail.';
    this.bucket = new VersionedBucket(this, 'Bucket', { stage, withoutAccessLog });
  }
}
