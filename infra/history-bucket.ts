import type { IKey } from 'aws-cdk-lib/aws-kms';
import { type Bucket, ObjectLockRetention } from 'aws-cdk-lib/aws-s3';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { HistoryLock } from './history-lock.ts';
import type { Settings } from './settings.ts';
import { VersionedBucket } from './versioned-bucket.ts';

type HistoryBucketProps = { settings: Pick<Settings, 'stage' | 'historyLock'>; key: IKey };

/** The bucket of the archive. Object Lock keeps each version: docs/operations.md, "History". */
export class HistoryBucket extends Construct {
  readonly bucket: Bucket;

  constructor(scope: Construct, id: string, { settings, key }: HistoryBucketProps) {
    super(scope, id);
    const withoutAccessLog = 'Object Lock refuses changes, and `history verify` finds what is missing.';
    const { stage, historyLock } = settings;
    this.bucket = new VersionedBucket(this, 'Bucket', {
      stage,
      withoutAccessLog,
      key,
      lock: lockOf(historyLock),
    });
    for (const prefix of ENDING)
      this.bucket.addLifecycleRule({
        prefix,
        expiration: Duration.days(historyLock.days),
        noncurrentVersionExpiration: Duration.days(1),
      });
  }
}

/**
 * The folders with personal data. Their objects are deleted when their lock ends. The manifests contain no
 * personal data and stay, so that the chain can always be followed.
 */
const ENDING = ['executions/', 'evidence/', 'acts/'];

function lockOf({ mode, days }: HistoryLock): ObjectLockRetention {
  const period = Duration.days(days);
  return mode === 'COMPLIANCE'
    ? ObjectLockRetention.compliance(period)
    : ObjectLockRetention.governance(period);
}
