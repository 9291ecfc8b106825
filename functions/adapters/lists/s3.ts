import { setTimeout as wait } from 'node:timers/promises';
import { GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import type { ReadFile } from './published.ts';

const FOLDER = 'lists/';

type LoadClient = () => Promise<Pick<S3Client, 'send'>>;

/**
 * An object and its ETag, the revision. A write that replaces the object must name the revision that it
 * replaces.
 */
type StoredObject = { bytes: Uint8Array; revision: string };

/** The lists' folder in the bucket. */
export type ListStore = {
  read(name: string): Promise<StoredObject | undefined>;
  /**
   * Writes an object. Without `replaces`, returns false and writes nothing if the object exists. With
   * `replaces`, returns false and writes nothing if the object's revision is not `replaces` any more.
   */
  write(name: string, bytes: Uint8Array, replaces?: string): Promise<boolean>;
};

/**
 * The time-out of a read in milliseconds. It suffices for an index, and leaves time to answer the request
 * from the deployment's copy.
 */
const READ_MS = 6000;

/** Returns a reader of `lists/<name>` in the bucket. It throws if a read takes too long. */
export function s3Reader(loadClient: LoadClient, bucket: string, timeoutMs = READ_MS): ReadFile {
  const { read } = s3Store(loadClient, bucket);
  return async (name) => {
    const stop = new AbortController();
    // The S3 client's own limit covers only the time until the first byte.
    const late = wait(timeoutMs, undefined, { signal: stop.signal }).then(() => {
      throw new Error(`${name} takes too long`);
    });
    late.catch(() => undefined);
    return Promise.race([read(name), late]).finally(() => stop.abort());
  };
}

/** The objects `lists/<name>` of the bucket. */
export function s3Store(loadClient: LoadClient, bucket: string): ListStore {
  const keyOf = (name: string) => ({ Bucket: bucket, Key: `${FOLDER}${name}` });
  return {
    async read(name) {
      try {
        const { Body, ETag = '' } = await (await loadClient()).send(new GetObjectCommand(keyOf(name)));
        return Body && { bytes: await Body.transformToByteArray(), revision: ETag };
      } catch (error) {
        if (errorNameOf(error) === 'NoSuchKey') return undefined;
        throw error;
      }
    },
    async write(name, bytes, replaces) {
      const condition = replaces === undefined ? { IfNoneMatch: '*' } : { IfMatch: replaces };
      const command = new PutObjectCommand({ ...keyOf(name), Body: bytes, ...condition });
      try {
        await (await loadClient()).send(command);
        return true;
      } catch (error) {
        if (LOST.includes(errorNameOf(error))) return false;
        throw error;
      }
    },
  };
}

/**
 * The errors with which S3 refuses a conditional write. The condition is not met, another conditional write
 * is running, or the object to replace is gone.
 */
const LOST = ['PreconditionFailed', 'ConditionalRequestConflict', 'NoSuchKey'];

const errorNameOf = (error: unknown) => (error instanceof Error ? error.name : '');
