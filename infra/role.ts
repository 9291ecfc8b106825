import {
  type AddToPrincipalPolicyResult,
  type IPrincipal,
  PolicyDocument,
  type PolicyStatement,
  Role,
} from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';

/**
 * A role with inline permissions. CDK would otherwise make a separate policy. It would be created only after
 * the role, and would count towards a stack's limit of resources.
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
