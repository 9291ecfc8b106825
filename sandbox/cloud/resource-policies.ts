import { queueArn } from './arns.ts';
import { type Statement, statementsOf } from './policy-statements.ts';
import type { Template } from './template.ts';
import { type Fields, list, PARTITION, text } from './wire.ts';

/**
 * The policy of a resource. Beside an `exclusive` policy, a role's own policy grants only the actions that the
 * exclusive one allows to the whole account.
 */
export type ResourcePolicy = { resource: string; statements: Statement[]; exclusive: boolean };

/** The policies of the KMS keys, queues, buckets and topics in the template. Those of keys are exclusive. */
export function readResourcePolicies(template: Template): ResourcePolicy[] {
  const read = (type: string, resourcesOf: (properties: Fields) => string[]) =>
    template.ofType(type).flatMap(({ logicalId }) => {
      const properties = template.properties(logicalId);
      const statements = statementsOf(properties.PolicyDocument);
      return resourcesOf(properties).map((resource) => ({ resource, statements, exclusive: false }));
    });
  const keys = template.ofType('AWS::KMS::Key').map(({ logicalId }) => ({
    resource: template.attribute(logicalId, 'Arn'),
    statements: statementsOf(template.properties(logicalId).KeyPolicy),
    exclusive: true,
  }));
  return [
    ...keys,
    ...read('AWS::SQS::QueuePolicy', ({ Queues }) => list(Queues).map(queueArn)),
    ...read('AWS::S3::BucketPolicy', ({ Bucket }) => [`arn:${PARTITION}:s3:::${text(Bucket)}`]),
    ...read('AWS::SNS::TopicPolicy', ({ Topics }) => list(Topics).map(text)),
  ];
}

/** True if the policy is that of the resource, or of the bucket that holds the object. */
export function governs({ resource: own }: ResourcePolicy, resource: string): boolean {
  return resource === own || resource.startsWith(`${own}/`);
}
