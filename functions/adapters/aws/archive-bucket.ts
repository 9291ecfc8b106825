import { createHash } from 'node:crypto';
import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import type { ArchiveBucket } from '../../domain/books/archive-ports.ts';
import { getDefined } from '../../domain/get.ts';

const TYPES: Readonly<Record<string, string>> = {
  json: 'application/json',
  html: 'text/html; charset=utf-8',
  jsonl: 'application/x-ndjson',
};

export function archiveBucket(load: () => Promise<Pick<S3Client, 'send'>>, bucket: string): ArchiveBucket {
  return {
    async upload({ key, text }) {
      const body = Buffer.from(text);
      const digest = createHash('sha256').update(body).digest();
      const command = new PutObjectCommand({
        Bucket: bucket,
        Key: key,
        Body: body,
        ContentType: TYPES[key.split('.').at(-1) ?? ''],
        ChecksumSHA256: digest.toString('base64'),
      });
      const { VersionId } = await (await load()).send(command);
      const versionId = getDefined(VersionId, `version of ${key}: the bucket must keep versions`);
      return { versionId, sha256: digest.toString('hex'), bytes: body.length };
    },
  };
}
