import { setTimeout as wait } from 'node:timers/promises';
import { GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import type { ReadFile } from './published.ts';

const FOLDER = 'lists/';

type LoadClient = () => Promise<Pick<S3Client, 'send'>>;

/** An object with its revision, which names it to a write that must not replace another. */
export type Stored = { bytes: Uint8Array; revision: string };

/** The folder of the lists. */
export type ListStore = {
  read(name: string): Promise<Stored | undefined>;
  /** False: the object is there already or, with `replaces`, is no longer of that revision. Then nothing is written. */
  write(name: string, bytes: Uint8Array, replaces?: string): Promise<boolean>;
};

/** Longer than an index takes, and short enough to answer somebody by the copy of the deployment. */
const READ_MS = 6000;

/** Reads `lists/<name>` of the bucket, whole and soon or not at all. */
export function s3Reader(loadClient: LoadClient, bucket: string, timeoutMs = READ_MS): ReadFile {
  const { read } = s3Store(loadClient, bucket);
  return async (name) => {
    const stop = new AbortController();
    // The client's own limit is that of the first byte.
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
        if (nameOf(error) === 'NoSuchKey') return undefined;
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
        if (LOST.includes(nameOf(error))) return false;
        throw error;
      }
    },
  };
}

/** The condition was not met; or another write under a condition is under way; or what was to be replaced is gone. */
const LOST = ['PreconditionFailed', 'ConditionalRequestConflict', 'NoSuchKey'];

const nameOf = (error: unknown) => (error instanceof Error ? error.name : '');
