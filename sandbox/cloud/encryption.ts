import type { Need } from './iam.ts';
import { keyArn } from './kms.ts';
import type { Template } from './template.ts';
import { fields, REGION, text } from './wire.ts';

/**
 * Adds the KMS permissions that a call on an encrypted table or queue needs. On AWS a role without them cannot use the
 * resource. The emulators do not encrypt, so only this check finds such a fault.
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

  function extra({ action, resource }: Need): Need[] {
    const found = keys.get(resource.replace(/\/index\/.*/, ''));
    if (!found) return [];
    const context = { 'kms:ViaService': `${found.service}.${REGION}.amazonaws.com` };
    const actions = action === 'sqs:SendMessage' ? ['kms:GenerateDataKey', 'kms:Decrypt'] : ['kms:Decrypt'];
    const reads =
      action === 'sqs:ReceiveMessage' || action === 'sqs:SendMessage' || found.service === 'dynamodb';
    return reads ? actions.map((name) => ({ action: name, resource: found.key, context })) : [];
  }

  return (needs) => needs.flatMap((need) => [need, ...extra(need)]);
}
