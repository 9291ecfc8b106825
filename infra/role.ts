import {
  type AddToPrincipalPolicyResult,
  type IPrincipal,
  ManagedPolicy,
  PolicyDocument,
  type PolicyStatement,
  Role,
} from 'aws-cdk-lib/aws-iam';
import { Aspects } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';

/**
 * How many characters a role keeps inline, and how many a managed policy gets. IAM allows 10,240 and 6,144. CDK only
 * estimates the length of a name that AWS makes, so something is left.
 */
const MOST_INLINE = 9000;
const MOST_MANAGED = 5500;

/**
 * A role with inline permissions. CDK would otherwise make a separate policy. It would be created only after
 * the role, and would count towards a stack's limit of resources. Statements for which a role has no room go into
 * managed policies, which are created before the role.
 */
export class OwnRole extends Role {
  private readonly own: PolicyDocument;

  constructor(scope: Construct, id: string, assumedBy: IPrincipal) {
    const own = new PolicyDocument();
    super(scope, id, { assumedBy, inlinePolicies: { Own: own } });
    this.own = own;
    // The app is complete when the aspects run. Only then all statements of the role are known.
    Aspects.of(this).add({ visit: (node) => node === this && this.moveOverflow() });
  }

  private moveOverflow(): void {
    const parts = [...this.own._splitDocument(this, MOST_INLINE, MOST_MANAGED).keys()];
    for (const [index, document] of parts.filter((part) => part !== this.own).entries())
      this.addManagedPolicy(new ManagedPolicy(this, `Overflow${index + 1}`, { document }));
  }

  override addToPrincipalPolicy(statement: PolicyStatement): AddToPrincipalPolicyResult {
    this.own.addStatements(statement);
    return { statementAdded: true, policyDependable: this };
  }
}
