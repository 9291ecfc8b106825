import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import type { ReadFile } from './load.ts';

const FOLDER = 'lists/';

/** Reads `lists/<name>` of the bucket. */
export function s3Reader(loadClient: () => Promise<Pick<S3Client, 'send'>>, bucket: string): ReadFile {
  return async (name) => {
    const command = new GetObjectCommand({ Bucket: bucket, Key: `${FOLDER}${name}` });
    try {
      const { Body } = await (await loadClient()).send(command);
      return Body && { bytes: await Body.transformToByteArray() };
    } catch (error) {
      if (error instanceof Error && error.name === 'NoSuchKey') return undefined;
      throw error;
    }
  };
}
