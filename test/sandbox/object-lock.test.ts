import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  GetObjectRetentionCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { archiveHolds } from '../../operations/stores/archive-holds.ts';
import { archiveReader } from '../../operations/stores/archive-reader.ts';
import { boot, type Cloud } from '../../sandbox/cloud/boot.ts';
import { encryptionNeeds } from '../../sandbox/cloud/encryption.ts';
import { withObjectLock } from '../../sandbox/cloud/object-lock.ts';
import { s3Needs } from '../../sandbox/cloud/s3-needs.ts';
import { loadTemplate } from '../../sandbox/cloud/template.ts';

const bucketWith = (Mode: string) => ({
  Type: 'AWS::S3::Bucket',
  Properties: {
    ObjectLockEnabled: true,
    ObjectLockConfiguration: {
      ObjectLockEnabled: 'Enabled',
      Rule: { DefaultRetention: { Mode, Years: 11 } },
    },
  },
});
const sealed = {
  Type: 'AWS::S3::Bucket',
  Properties: {
    BucketEncryption: {
      ServerSideEncryptionConfiguration: [
        {
          BucketKeyEnabled: true,
          ServerSideEncryptionByDefault: {
            SSEAlgorithm: 'aws:kms',
            KMSMasterKeyID: { 'Fn::GetAtt': ['Key', 'Arn'] },
          },
        },
      ],
    },
  },
};
const Resources = {
  Governed: bucketWith('GOVERNANCE'),
  Complied: bucketWith('COMPLIANCE'),
  Sealed: sealed,
  Key: { Type: 'AWS::KMS::Key', Properties: { KeyPolicy: {} } },
};

let cloud: Cloud;
let client: S3Client;
beforeAll(async () => {
  writeFileSync(join(tmpdir(), 'Locks.template.json'), JSON.stringify({ Resources }));
  cloud = await boot({ assembly: tmpdir(), stackName: 'Locks' });
  const credentials = { accessKeyId: 'operator', secretAccessKey: 'operator' };
  const { endpoint, region } = cloud;
  client = new S3Client({ endpoint, region, credentials, forcePathStyle: true, maxAttempts: 1 });
});
afterAll(() => cloud.stop());

const governed = (Key: string) => ({ Bucket: cloud.physical('Governed'), Key });
const put = async (Key: string, Body: string) =>
  (await client.send(new PutObjectCommand({ ...governed(Key), Body }))).VersionId;
async function read(Key: string, VersionId?: string) {
  const { Body, ...answer } = await client.send(new GetObjectCommand({ ...governed(Key), VersionId }));
  return { ...answer, text: await Body?.transformToString() };
}
const errorOf = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error: Error) => error.name,
  );

describe('a local bucket with Object Lock', () => {
  it('keeps each version, and reads the newest unless a version is named', async () => {
    const first = await put('versions', 'one');
    const second = await put('versions', 'two');

    expect(await read('versions')).toMatchObject({ text: 'two', VersionId: second });
    expect(await read('versions', first)).toMatchObject({ text: 'one', VersionId: first });
    expect(await errorOf(read('versions', 'another'))).toBe('NoSuchVersion');
  });

  it('gives each version the default retention of the bucket', async () => {
    await put('retention', 'one');
    const years = 11 * 365 * 24 * 60 * 60_000;
    const { Retention } = await client.send(new GetObjectRetentionCommand(governed('retention')));

    expect(Retention?.Mode).toBe('GOVERNANCE');
    expect(Number(Retention?.RetainUntilDate)).toBeGreaterThan(Date.now() + years - 60_000);
    expect(await read('retention')).toMatchObject({ ObjectLockMode: 'GOVERNANCE' });
  });

  it('gives a version the retention that the request names', async () => {
    const ObjectLockRetainUntilDate = new Date(Date.now() + 60_000);
    const own = { ObjectLockMode: 'COMPLIANCE', ObjectLockRetainUntilDate } as const;
    await client.send(new PutObjectCommand({ ...governed('own'), Body: 'one', ...own }));

    expect(await read('own')).toMatchObject(own);
  });

  it('refuses to delete a locked version, and hides it behind a marker if no version is named', async () => {
    const VersionId = await put('deleted', 'one');
    const byVersion = client.send(new DeleteObjectCommand({ ...governed('deleted'), VersionId }));

    expect(await errorOf(byVersion)).toBe('AccessDenied');
    expect((await client.send(new DeleteObjectCommand(governed('deleted')))).DeleteMarker).toBe(true);
    expect(await errorOf(read('deleted'))).toBe('NoSuchKey');
    expect((await read('deleted', VersionId)).text).toBe('one');
  });

  it('deletes a governed version for a caller who bypasses the lock, and shows the version before it', async () => {
    await put('bypassed', 'one');
    const VersionId = await put('bypassed', 'two');
    const bypass = { VersionId, BypassGovernanceRetention: true };
    await client.send(new DeleteObjectCommand({ ...governed('bypassed'), ...bypass }));

    expect((await read('bypassed')).text).toBe('one');
  });

  it('deletes no version in compliance mode, whoever asks', async () => {
    const place = { Bucket: cloud.physical('Complied'), Key: 'a' };
    const { VersionId } = await client.send(new PutObjectCommand({ ...place, Body: 'one' }));
    const bypass = { VersionId, BypassGovernanceRetention: true };

    expect(await errorOf(client.send(new DeleteObjectCommand({ ...place, ...bypass })))).toBe('AccessDenied');
  });

  // docs/operations.md, "A client's rights"
  it('deletes no version under a legal hold, although the lock is bypassed, until the hold is off', async () => {
    const versionId = (await put('held', 'one'))!;
    const { mark } = archiveHolds(async () => client, cloud.physical('Governed'));
    const hold = (status: 'ON' | 'OFF') => mark({ key: 'held', versionId }, status);
    const bypass = { VersionId: versionId, BypassGovernanceRetention: true };
    const remove = () => client.send(new DeleteObjectCommand({ ...governed('held'), ...bypass }));

    expect(await hold('ON')).toBe(true);
    expect(await read('held', versionId)).toMatchObject({ ObjectLockLegalHoldStatus: 'ON' });
    expect(await errorOf(remove())).toBe('AccessDenied');
    expect(await hold('OFF')).toBe(true);
    expect(await errorOf(remove())).toBe('none');
    expect(await hold('ON')).toBe(false);
  });

  it('refuses an upload with a wrong checksum', async () => {
    const ChecksumSHA256 = createHash('sha256').update('two').digest('base64');
    const wrong = new PutObjectCommand({ ...governed('checksum'), Body: 'one', ChecksumSHA256 });

    expect(await errorOf(client.send(wrong))).toBe('BadDigest');
  });

  it('refuses an upload without a checksum', async () => {
    const authorization = 'AWS4-HMAC-SHA256 Credential=operator/20261123/us-east-1/s3/aws4_request';
    const url = `${cloud.endpoint}/${cloud.physical('Governed')}/plain`;
    const answer = await fetch(url, { method: 'PUT', body: 'one', headers: { authorization } });

    expect(await answer.text()).toContain('<Code>InvalidRequest</Code>');
  });

  it('lists page by page', async () => {
    for (const name of ['a', 'b', 'c']) await put(`pages/${name}`, name);
    const Prefix = 'pages/';
    const page = { Bucket: cloud.physical('Governed'), Prefix, MaxKeys: 2 };
    const first = await client.send(new ListObjectsV2Command(page));
    const { NextContinuationToken: ContinuationToken } = first;
    const second = await client.send(new ListObjectsV2Command({ ...page, ContinuationToken }));

    const keys = [first, second].map(({ Contents = [] }) => Contents.map(({ Key }) => Key));
    expect(keys).toEqual([['pages/a', 'pages/b'], ['pages/c']]);
  });

  it('lists all versions and markers of a folder, key by key, the newest first, page by page', async () => {
    const ids = [await put('all/a', '1'), await put('all/a', '2'), await put('all/b', '3')];
    await client.send(new DeleteObjectCommand(governed('all/b')));
    const page = { Bucket: cloud.physical('Governed'), Prefix: 'all/', MaxKeys: 1 };
    const first = await client.send(new ListObjectVersionsCommand(page));
    const { NextKeyMarker: KeyMarker, NextVersionIdMarker: VersionIdMarker } = first;
    const second = await client.send(new ListObjectVersionsCommand({ ...page, KeyMarker, VersionIdMarker }));
    expect([first, second].map(({ Versions }) => Versions?.map(({ VersionId }) => VersionId))).toEqual([
      [ids[1]],
      [ids[0]],
    ]);

    const { listVersions } = archiveReader(async () => client, cloud.physical('Governed'));
    const all = await listVersions('all/');
    expect(all.filter(({ isMarker }) => !isMarker).map(({ versionId }) => versionId)).toEqual([
      ids[1],
      ids[0],
      ids[2],
    ]);
    expect(all.filter(({ isMarker }) => isMarker).map(({ key }) => key)).toEqual(['all/b']);
    expect((await listVersions('all/', 'all/a')).map(({ key }) => key)).toEqual(['all/b', 'all/b']);
    expect(Math.abs(all[0]!.at - Date.now())).toBeLessThan(60_000);
  });

  it('refuses an operation that it does not simulate', async () => {
    const change = new PutBucketVersioningCommand({
      Bucket: cloud.physical('Governed'),
      VersioningConfiguration: { Status: 'Suspended' },
    });

    expect(await errorOf(client.send(change))).toBe('NotImplemented');
  });
});

describe('a request to a bucket', () => {
  it.each([
    ['PUT', '/b/k', {}, ['s3:PutObject']],
    ['PUT', '/b/k', { 'x-amz-object-lock-mode': 'GOVERNANCE' }, ['s3:PutObject', 's3:PutObjectRetention']],
    ['GET', '/b/k?versionId=1', {}, ['s3:GetObjectVersion']],
    ['GET', '/b?versions&prefix=days/', {}, ['s3:ListBucketVersions']],
    ['GET', '/b?list-type=2', {}, ['s3:ListBucket']],
    ['GET', '/b/k?retention', {}, ['s3:GetObjectRetention']],
    ['PUT', '/b/k?legal-hold&versionId=1', {}, ['s3:PutObjectLegalHold']],
    ['DELETE', '/b/k', {}, ['s3:DeleteObject']],
    [
      'DELETE',
      '/b/k?versionId=1',
      { 'x-amz-bypass-governance-retention': 'true' },
      ['s3:DeleteObjectVersion', 's3:BypassGovernanceRetention'],
    ],
  ])('%s %s with the headers %o needs %o', (method, url, headers, actions) => {
    expect(s3Needs(method, url, headers).map(({ action }) => action)).toEqual(actions);
  });

  it('with a key of its own also needs that key, for this bucket', () => {
    const template = loadTemplate(tmpdir(), 'Locks');
    const bucket = template.attribute('Sealed', 'Arn');
    const needs = encryptionNeeds(template);
    const context = {
      'kms:ViaService': 's3.us-east-1.amazonaws.com',
      'kms:EncryptionContext:aws:s3:arn': bucket,
    };
    const key = (action: string) => ({ action, resource: template.attribute('Key', 'Arn'), context });
    const put = { action: 's3:PutObject', resource: `${bucket}/a` };
    const get = { action: 's3:GetObject', resource: `${bucket}/a` };

    expect(needs([put])).toEqual([put, key('kms:GenerateDataKey')]);
    expect(needs([get])).toEqual([get, key('kms:Decrypt')]);
  });
});

it('shows an upload only with its retention', async () => {
  const stored = Promise.withResolvers<void>();
  const done = { status: 200, headers: {}, body: Buffer.from('a page') };
  const locked = withObjectLock(
    async ({ url }) => {
      if (url.includes('.versions/')) await stored.promise;
      return done;
    },
    new Map([['governed', { mode: 'GOVERNANCE', days: 1 }]]),
  );
  const headers = { 'x-amz-checksum-crc32': crc32Of('a page') };
  const call = (method: string) =>
    locked({ method, url: '/governed/page', headers, body: Buffer.from('a page') });

  const putting = call('PUT');

  await expect(call('GET')).rejects.toMatchObject({ name: 'NoSuchKey' });
  stored.resolve();
  await putting;
  expect((await call('GET')).headers).toMatchObject({ 'x-amz-object-lock-mode': 'GOVERNANCE' });
});

function crc32Of(content: string): string {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(content));
  return sum.toString('base64');
}
