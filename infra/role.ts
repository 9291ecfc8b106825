import {
  type AddToPrincipalPolicyResult,
  type IPrincipal,
  PolicyDocument,
  type PolicyStatement,
  Role,
} from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';

/**
 * A role that holds its own permissions. As a resource of its own, a policy would be made after the role, and each
 * would count against the most resources of a stack.
 */
export class OwnRole extends Role {
  private readonly own: PolicyDocument;

  constructor(scope: Construct, id: string, assumedBy: IPrincipal) {
    const own = new PolicyDocument();
    super(scope, id, { assumedBy, inlinePolicies: { Own: own } });
    this.own = own;
  }

  override addToPrincipalPolicy(statement: PolicyStatement): AddToPrincipalPolicyResult {
    this.own.addStatements(statement);
    return { statementAdded: true, policyDependable: this };
  }
}
