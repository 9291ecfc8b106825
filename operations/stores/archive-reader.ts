import { createHash } from 'node:crypto';
import { GetObjectCommand, ListObjectVersionsCommand, type S3Client } from '@aws-sdk/client-s3';

/** A version of an object, as the bucket has it now. S3 itself sets the instant `at` of its upload. */
type StoredDocument = {
  text: string;
  sha256: string;
  versionId: string;
  isLocked: boolean;
  at: number;
};

/** A line in the bucket's list of versions: a version, or the marker of a deletion. */
export type ListedVersion = { key: string; versionId: string; isMarker: boolean; at: number };

/** Reads the objects of the archive. Only the operators' command has this right. */
export type ArchiveReader = {
  /** Reads the newest version, or the named one. Undefined if there is none, or if a deletion hides it. */
  findStored(key: string, versionId?: string): Promise<StoredDocument | undefined>;
  /** All versions and markers in a folder, in the order of their keys. Only keys after `after` are listed. */
  listVersions(folder: string, after?: string): Promise<ListedVersion[]>;
};

const MISSING = ['NoSuchKey', 'NoSuchVersion', 'MethodNotAllowed'];

export function archiveReader(load: () => Promise<Pick<S3Client, 'send'>>, bucket: string): ArchiveReader {
  return {
    async findStored(Key, VersionId) {
      const command = new GetObjectCommand({ Bucket: bucket, Key, VersionId });
      try {
        const answer = await (await load()).send(command);
        const { Body, VersionId: versionId = '', ObjectLockMode, LastModified } = answer;
        const text = (await Body?.transformToString()) ?? '';
        const sha256 = createHash('sha256').update(text).digest('hex');
        return { text, sha256, versionId, isLocked: ObjectLockMode !== undefined, at: Number(LastModified) };
      } catch (error) {
        if (MISSING.includes((error as Error).name)) return undefined;
        throw error;
      }
    },
    async listVersions(Prefix, after) {
      const found: ListedVersion[] = [];
      let next: { KeyMarker?: string; VersionIdMarker?: string } | undefined = { KeyMarker: after };
      while (next) {
        const command: ListObjectVersionsCommand = new ListObjectVersionsCommand({
          Bucket: bucket,
          Prefix,
          ...next,
        });
        const page = await (await load()).send(command);
        found.push(...versionsIn(page.Versions, false), ...versionsIn(page.DeleteMarkers, true));
        const { IsTruncated, NextKeyMarker: KeyMarker, NextVersionIdMarker: VersionIdMarker } = page;
        next = IsTruncated ? { KeyMarker, VersionIdMarker } : undefined;
      }
      return found.sort((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0));
    },
  };
}

type Line = { Key?: string; VersionId?: string; LastModified?: Date };

const versionsIn = (lines: readonly Line[] = [], isMarker: boolean): ListedVersion[] =>
  lines.map(({ Key = '', VersionId = '', LastModified }) => ({
    key: Key,
    versionId: VersionId,
    isMarker,
    at: Number(LastModified),
  }));
