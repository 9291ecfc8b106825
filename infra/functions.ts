import { type IRole, Role } from 'aws-cdk-lib/aws-iam';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { Backend } from './backend.ts';
import type { CodeBundle } from './bundle.ts';
import { grantOf } from './grants.ts';
import { lateRunsOf } from './late-runs.ts';
import { OnrampFunction } from './onramp-function.ts';
import type { Settings } from './settings.ts';
import type { AnyNeed, FunctionSource, Kind } from './sources.ts';

/** The functions of a stack by their names. */
export type Functions = {
  find(id: string): OnrampFunction;
  /**
   * Throws if a function was never looked up with `find`. Then no route, consumer, schedule or step of the
   * machine uses the function.
   */
  requireAllFound(): void;
};

type FunctionsProps = {
  /** Kinds of functions that are in a nested stack, each with that stack. */
  scopes: Partial<Record<Kind | 'account', Construct>>;
  settings: Settings;
  sources: readonly FunctionSource[];
  code: CodeBundle;
  /** The same code with a copy of the sanctions lists, if there is one. */
  codeWithLists?: CodeBundle;
  /** The same code with the public pages, if there are any. */
  codeWithSite?: CodeBundle;
  backend: Backend;
  deadLetters: IQueue;
};

/**
 * Adds a Lambda function for each source. Each function gets the variables and grants of its source's needs.
 */
export function addFunctions(scope: Construct, props: FunctionsProps): Functions {
  const functions = new Map(
    props.sources.map((source) => [
      source.id,
      addFunction(props.scopes[sourcePlace(source)] ?? scope, source, props),
    ]),
  );
  const unused = new Set(functions.keys());
  return {
    find(id) {
      const found = functions.get(id);
      if (!found) throw new Error(`There is no function ${id}`);
      unused.delete(id);
      return found;
    },
    requireAllFound() {
      if (unused.size > 0) throw new Error(`Nothing calls ${[...unused].join(', ')}`);
    },
  };
}

/**
 * The nested stack that has a function: that of its kind. The endpoints below /laas/partner have a stack of their own,
 * because one stack has no room for all endpoints.
 */
const sourcePlace = ({ kind, path }: FunctionSource) => (path.startsWith('api/partner/') ? 'account' : kind);

/** The needs whose code reads the bundled copy of the sanctions lists if the bucket fails. */
const READ_LISTS: readonly AnyNeed[] = ['sanctions', 'listedWallets', 'walletRisk'];

function addFunction(scope: Construct, source: FunctionSource, props: FunctionsProps): OnrampFunction {
  const { settings, backend, deadLetters } = props;
  const grants = source.needs.map((need) => grantOf(need, backend, source.id));
  const added = new OnrampFunction(scope, source.id, {
    settings,
    code: codeFor(source, props),
    handler: source.path,
    kind: source.kind,
    environment: Object.assign({}, ...grants.map(({ variables }) => variables)),
    role: roleIfSigning(scope, source, backend),
    // EventBridge invokes the function of a schedule without waiting for its result.
    ...(source.kind === 'schedules' && { lateRuns: lateRunsOf(source.id, deadLetters) }),
  });
  for (const { allow } of grants) allow?.(added.role);
  return added;
}

/** The bundle that contains the other files which this function reads: the pages or the sanctions lists. */
function codeFor(
  { needs }: FunctionSource,
  { code, codeWithLists, codeWithSite }: FunctionsProps,
): CodeBundle {
  if (needs.includes('pages')) return codeWithSite ?? code;
  const readsLists = needs.some((need) => READ_LISTS.includes(need));
  return (readsLists && codeWithLists) || code;
}

function roleIfSigning(
  scope: Construct,
  { id, needs }: FunctionSource,
  { keys }: Backend,
): IRole | undefined {
  return needs.includes('treasury') ? Role.fromRoleArn(scope, `${id}Role`, keys.signer.roleArn) : undefined;
}
