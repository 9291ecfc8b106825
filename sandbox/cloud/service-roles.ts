import type { Iam } from './iam.ts';
import type { Template } from './template.ts';
import { text } from './wire.ts';

/**
 * Throws if a function, state machine or pipe has a role that its service cannot assume. AWS would refuse to
 * create such a resource.
 */
export function requireRoles(template: Template, iam: Iam): void {
  const takers = [
    ['AWS::Lambda::Function', 'Role', 'lambda'],
    ['AWS::StepFunctions::StateMachine', 'RoleArn', 'states'],
    ['AWS::Pipes::Pipe', 'RoleArn', 'pipes'],
  ] as const;
  for (const [type, property, service] of takers) {
    for (const { logicalId, properties } of template.ofType(type)) {
      iam.requireTrust(text(template.resolve(properties[property])), `${service}.amazonaws.com`, logicalId);
    }
  }
}
