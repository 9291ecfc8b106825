import type { Need } from './access.ts';
import { keyArn } from './kms.ts';
import type { Template } from './template.ts';
import { dig, fields, list, REGION, text } from './wire.ts';

/**
 * Adds the KMS permissions that a call needs if its table, queue or bucket is encrypted with a customer
 * managed key. On AWS a role without them cannot use the resource. The emulators do not encrypt, and so only
 * this check finds a missing permission.
 */
export function encryptionNeeds(template: Template): (needs: Need[]) => Need[] {
  const keys = new Map<string, { key: string; service: string }>();
  const under = (logicalId: string, keyId: unknown, service: string) => {
    if (!text(keyId) || text(keyId).startsWith('alias/aws/')) return;
    keys.set(template.attribute(logicalId, 'Arn'), { key: keyArn(text(keyId)), service });
  };
  for (const { logicalId } of template.ofType('AWS::DynamoDB::Table')) {
    under(logicalId, fields(template.properties(logicalId).SSESpecification).KMSMasterKeyId, 'dynamodb');
  }
  for (const { logicalId } of template.ofType('AWS::SQS::Queue')) {
    under(logicalId, template.properties(logicalId).KmsMasterKeyId, 'sqs');
  }
  for (const { logicalId } of template.ofType('AWS::S3::Bucket')) {
    const rules = dig(template.properties(logicalId), [
      'BucketEncryption',
      'ServerSideEncryptionConfiguration',
    ]);
    const { KMSMasterKeyID } = fields(fields(list(rules)[0]).ServerSideEncryptionByDefault);
    under(logicalId, KMSMasterKeyID, 's3');
  }

  function extra({ action, resource }: Need): Need[] {
    const owner = ownerOf(resource);
    const found = keys.get(owner);
    if (!found) return [];
    const { key, service } = found;
    const context = {
      'kms:ViaService': `${service}.${REGION}.amazonaws.com`,
      ...(service === 's3' && { 'kms:EncryptionContext:aws:s3:arn': owner }),
    };
    const actions = KEY_ACTIONS[action] ?? (service === 'dynamodb' ? [DECRYPT] : []);
    return actions.map((name) => ({ action: name, resource: key, context }));
  }

  return (needs) => needs.flatMap((need) => [need, ...extra(need)]);
}

const DECRYPT = 'kms:Decrypt';
const GENERATE = 'kms:GenerateDataKey';

/**
 * The KMS permissions that an action on an encrypted queue or bucket needs. Every action on an encrypted
 * table needs `kms:Decrypt`.
 */
const KEY_ACTIONS: Readonly<Record<string, readonly string[]>> = {
  'sqs:SendMessage': [GENERATE, DECRYPT],
  'sqs:ReceiveMessage': [DECRYPT],
  's3:PutObject': [GENERATE],
  's3:GetObject': [DECRYPT],
  's3:GetObjectVersion': [DECRYPT],
};

/**
 * The ARN of the table, queue or bucket that a resource's ARN belongs to, such as that of an index or an
 * object.
 */
const ownerOf = (resource: string) => resource.replace(/(?<=:table\/[^/]+)\/.*|(?<=:s3:::[^/]+)\/.*/, '');
