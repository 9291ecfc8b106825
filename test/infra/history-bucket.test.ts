import { Match } from 'aws-cdk-lib/assertions';
import { App } from 'aws-cdk-lib/core';
import { beforeAll, describe, expect, it } from 'vitest';
import { RETENTION } from '../../functions/domain/retention.ts';
import { readContext, readSettings } from '../../infra/settings.ts';
import { actionsOf, type Synthesized, synthesized } from './synthesized.ts';

let production: Synthesized;
beforeAll(async () => {
  production = await synthesized('production');
});
const bucketId = () =>
  Object.keys(production.resources('AWS::S3::Bucket')).find((id) => id.startsWith('History'))!;

// docs/operations.md, "History"
describe('the bucket of the archive', () => {
  it('keeps and locks each version for ten years, counted from the next year, and stays without its stack', () => {
    production.template.hasResource('AWS::S3::Bucket', {
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: Match.objectLike({
        ObjectLockEnabled: true,
        ObjectLockConfiguration: {
          ObjectLockEnabled: 'Enabled',
          Rule: { DefaultRetention: { Mode: 'GOVERNANCE', Days: 11 * 366 } },
        },
        VersioningConfiguration: { Status: 'Enabled' },
        PublicAccessBlockConfiguration: {
          BlockPublicAcls: true,
          BlockPublicPolicy: true,
          IgnorePublicAcls: true,
          RestrictPublicBuckets: true,
        },
        BucketEncryption: {
          ServerSideEncryptionConfiguration: [
            Match.objectLike({
              BucketKeyEnabled: true,
              ServerSideEncryptionByDefault: Match.objectLike({ SSEAlgorithm: 'aws:kms' }),
            }),
          ],
        },
      }),
    });
  });

  it('deletes histories, evidence and acts when their lock has ended, and never a manifest', () => {
    const { Properties } = production.resources('AWS::S3::Bucket')[bucketId()]!;
    const ending = { ExpirationInDays: 11 * 366, NoncurrentVersionExpiration: { NoncurrentDays: 1 } };

    expect(Properties.LifecycleConfiguration).toEqual({
      Rules: [
        { Prefix: 'executions/', Status: 'Enabled', ...ending },
        { Prefix: 'evidence/', Status: 'Enabled', ...ending },
        { Prefix: 'acts/', Status: 'Enabled', ...ending },
      ],
    });
    expect(RETENTION.archivedHistories.life).toEqual({ years: 10 });
  });

  it('refuses calls without TLS', () => {
    production.template.hasResourceProperties('AWS::S3::BucketPolicy', {
      Bucket: { Ref: bucketId() },
      PolicyDocument: Match.objectLike({
        Statement: Match.arrayWith([
          Match.objectLike({
            Effect: 'Deny',
            Action: 's3:*',
            Condition: { Bool: { 'aws:SecureTransport': 'false' } },
          }),
        ]),
      }),
    });
  });

  it('is written by ArchiveHistories alone, which can neither read nor delete', () => {
    const names = (resource: unknown) => JSON.stringify(resource).includes(`"${bucketId()}"`);
    const granting = production
      .policies()
      .filter(({ statements }) =>
        statements.some(({ Effect, Resource }) => Effect === 'Allow' && names(Resource)),
      );

    expect(granting.map(({ id }) => id)).toEqual([expect.stringMatching(/^ArchiveHistoriesRole/)]);
    const s3 = actionsOf(production.statementsOf('ArchiveHistories')).filter((action) =>
      action.startsWith('s3:'),
    );
    expect(s3).toEqual(['s3:PutObject']);
  });

  it('gives ArchiveHistories the key for this bucket alone', () => {
    const [seal, ...others] = production
      .statementsOf('ArchiveHistories')
      .filter(({ Action, Condition }) => JSON.stringify({ Action, Condition }).includes('aws:s3:arn'));

    expect(others).toEqual([]);
    expect(seal).toMatchObject({
      Action: 'kms:GenerateDataKey',
      Condition: {
        StringEquals: {
          'kms:EncryptionContext:aws:s3:arn': { 'Fn::GetAtt': [bucketId(), 'Arn'] },
          'kms:ViaService': expect.anything(),
        },
      },
    });
  });
});

describe('the lock of the archive', () => {
  const lockOf = async (stage: string, lock: unknown) => {
    const app = new App({ context: { ...readContext(), stage, historyLock: { [stage]: lock } } });
    return (await readSettings(app.node)).historyLock;
  };

  it('may be in compliance mode, and longer', async () => {
    expect(await lockOf('production', { mode: 'COMPLIANCE', years: 20 })).toEqual({
      mode: 'COMPLIANCE',
      days: 21 * 366,
    });
  });

  it('may last a day in a sandbox alone', async () => {
    expect(await lockOf('sandbox', { mode: 'GOVERNANCE', days: 1 })).toEqual({ mode: 'GOVERNANCE', days: 1 });
    await expect(lockOf('production', { mode: 'GOVERNANCE', days: 1 })).rejects.toThrow(
      'years must be whole',
    );
  });

  it.each([
    ['production', undefined, 'mode must be GOVERNANCE or COMPLIANCE'],
    ['production', { mode: 'none', years: 10 }, 'mode must be GOVERNANCE or COMPLIANCE'],
    ['production', { mode: 'GOVERNANCE', years: 9 }, 'years must be whole, from 10 to 99'],
    ['production', { mode: 'GOVERNANCE', years: 10.5 }, 'years must be whole, from 10 to 99'],
    ['production', { mode: 'GOVERNANCE', years: 100 }, 'years must be whole, from 10 to 99'],
    ['sandbox', { mode: 'GOVERNANCE', days: 0 }, 'days must be a whole number, 1 at least'],
  ])('of %s is never %j', async (stage, lock, message) => {
    await expect(lockOf(stage, lock)).rejects.toThrow(`historyLock of ${stage}: ${message}`);
  });
});
