/** The objects that the boot writes to and reads from the local S3, as an operator and API Gateway do on AWS. */

import type { ReadObject } from './api-gateway.ts';
import { onlyOne } from './logical-ids.ts';
import type { Storage } from './storage.ts';
import type { Template } from './template.ts';

export type Upload = {
  /** The beginning of the bucket's logical id. */
  bucket: string;
  key: string;
  body: string;
};

export async function upload(uploads: readonly Upload[], template: Template, storage: Storage) {
  for (const { bucket, key, body } of uploads) {
    const url = `/${template.ref(onlyOne(template, bucket, 'AWS::S3::Bucket'))}/${key}`;
    await storage.forward({ method: 'PUT', url, headers: {}, body: Buffer.from(body) });
  }
}

/**
 * Reads an object of the local S3. A missing object fails the boot: it is a trust store, and API Gateway
 * would refuse a domain without it.
 */
export const readerOf =
  (storage: Storage): ReadObject =>
  async ({ bucket, key }) => {
    const url = `/${bucket}/${key}`;
    const { status, body } = await storage.forward({
      method: 'GET',
      url,
      headers: {},
      body: Buffer.alloc(0),
    });
    if (status !== 200) throw new Error(`The trust store s3:/${url} cannot be read: ${status}`);
    return body.toString();
  };
