import { PutObjectLegalHoldCommand, type S3Client } from '@aws-sdk/client-s3';
import type { ArchivedObject } from '../../functions/domain/books/archive-ports.ts';

type Version = Pick<ArchivedObject, 'key' | 'versionId'>;

/** The legal holds of the archive's objects. Only the operators' command may set one or lift one. */
export type ArchiveHolds = {
  /** Sets or lifts the hold of a version. False: the bucket no longer has the version. */
  mark(version: Version, status: 'ON' | 'OFF'): Promise<boolean>;
};

const MISSING = ['NoSuchKey', 'NoSuchVersion'];

export function archiveHolds(load: () => Promise<Pick<S3Client, 'send'>>, bucket: string): ArchiveHolds {
  return {
    async mark({ key: Key, versionId: VersionId }, Status) {
      const command = new PutObjectLegalHoldCommand({
        Bucket: bucket,
        Key,
        VersionId,
        LegalHold: { Status },
      });
      try {
        await (await load()).send(command);
        return true;
      } catch (error) {
        if (MISSING.includes((error as Error).name)) return false;
        throw error;
      }
    },
  };
}
