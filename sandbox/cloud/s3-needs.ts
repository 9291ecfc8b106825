import type { Need } from './access.ts';
import { PARTITION } from './wire.ts';

/**
 * The S3 permissions that a request needs. Only the operations on buckets and objects that functions use are
 * known.
 */
export function s3Needs(
  method: string,
  url: string,
  headers: Readonly<Record<string, unknown>> = {},
): Need[] {
  const { pathname, searchParams } = new URL(url, 'http://s3');
  const [bucket = '', ...key] = decodeURIComponent(pathname.slice(1)).split('/');
  const object = key.join('/');
  const bucketArn = `arn:${PARTITION}:s3:::${bucket}`;
  if (!bucket) return [{ action: 's3:ListAllMyBuckets', resource: '*' }];
  if (!object) {
    const action = bucketAction(method, searchParams);
    return [{ action, resource: action === 's3:DeleteObject' ? `${bucketArn}/*` : bucketArn }];
  }
  const actions = [objectAction(method, searchParams), ...lockActions(headers)];
  return actions.map((action) => ({ action, resource: `${bucketArn}/${object}` }));
}

function bucketAction(method: string, query: URLSearchParams): string {
  if (method === 'GET' && query.has('versions')) return 's3:ListBucketVersions';
  if (method === 'GET' || method === 'HEAD') return 's3:ListBucket';
  if (method === 'POST' && query.has('delete')) return 's3:DeleteObject';
  return method === 'DELETE' ? 's3:DeleteBucket' : 's3:CreateBucket';
}

function objectAction(method: string, query: URLSearchParams): string {
  if (query.has('retention')) return method === 'GET' ? 's3:GetObjectRetention' : 's3:PutObjectRetention';
  if (query.has('legal-hold')) return method === 'GET' ? 's3:GetObjectLegalHold' : 's3:PutObjectLegalHold';
  const version = query.has('versionId') ? 'Version' : '';
  if (method === 'GET' || method === 'HEAD') return `s3:GetObject${version}`;
  return method === 'DELETE' ? `s3:DeleteObject${version}` : 's3:PutObject';
}

/**
 * The permissions that headers of Object Lock need in addition. An object that gets the bucket's default
 * retention needs none of them.
 */
function lockActions(headers: Readonly<Record<string, unknown>>): string[] {
  return [
    ...(headers['x-amz-object-lock-mode'] === undefined ? [] : ['s3:PutObjectRetention']),
    ...(headers['x-amz-bypass-governance-retention'] === undefined ? [] : ['s3:BypassGovernanceRetention']),
  ];
}
