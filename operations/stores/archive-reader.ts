import { createHash } from 'node:crypto';
import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3';

/** A version of an object, as the bucket has it now. */
export type Stored = { text: string; sha256: string; versionId: string; isLocked: boolean };

/** Reads the archive. Only the operators' command may. */
export type ArchiveReader = {
  /** Reads the newest version, or the named one. Undefined if there is none, or if a deletion hides it. */
  findStored(key: string, versionId?: string): Promise<Stored | undefined>;
};

const MISSING = ['NoSuchKey', 'NoSuchVersion', 'MethodNotAllowed'];

export function archiveReader(load: () => Promise<Pick<S3Client, 'send'>>, bucket: string): ArchiveReader {
  return {
    async findStored(Key, VersionId) {
      const command = new GetObjectCommand({ Bucket: bucket, Key, VersionId });
      try {
        const { Body, VersionId: versionId = '', ObjectLockMode } = await (await load()).send(command);
        const text = (await Body?.transformToString()) ?? '';
        const sha256 = createHash('sha256').update(text).digest('hex');
        return { text, sha256, versionId, isLocked: ObjectLockMode !== undefined };
      } catch (error) {
        if (MISSING.includes((error as Error).name)) return undefined;
        throw error;
      }
    },
  };
}
