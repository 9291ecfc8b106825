import type { IRole } from 'aws-cdk-lib/aws-iam';
import { tableSetting } from '../functions/settings.ts';
import type { TableName } from '../functions/tables/describe.ts';
import type { IndexName } from '../functions/tables.ts';
import type { Backend } from './backend.ts';
import { consoleActs } from './console-acts.ts';
import { asJson, type Grant, joinedGrants, secret, to, variable } from './grant.ts';
import { grantOf, readLists, readVault } from './grants.ts';
import { acknowledgeWildcard } from './nag.ts';

type Reads<Name extends TableName> = {
  rows?: readonly ('GetItem' | 'BatchGetItem' | 'Scan')[];
  queries?: readonly IndexName<Name>[];
};

/**
 * The rights to read tables that the console's pages need. `test/journeys/console-sign-in.test.ts` fails if a
 * page reads more, or if no page uses a right.
 */
const READS: { readonly [Name in TableName]?: Reads<Name> } = {
  acts: { rows: ['GetItem'], queries: ['ofMonth', 'ofSubject'] },
  cases: { rows: ['GetItem', 'BatchGetItem'], queries: ['byStatus', 'decided', 'ofClient'] },
  clients: { rows: ['GetItem'] },
  deliveries: { rows: ['GetItem', 'BatchGetItem'], queries: ['parked'] },
  endedSessions: { rows: ['GetItem'] },
  events: { rows: ['BatchGetItem'] },
  evidence: { rows: ['BatchGetItem'], queries: ['subject'] },
  floats: { rows: ['GetItem'] },
  kycRecords: { rows: ['GetItem', 'BatchGetItem'], queries: ['ofClient'] },
  // The page of the books reads the whole ledger until the first day is closed.
  ledger: { rows: ['BatchGetItem', 'Scan'], queries: ['day', 'late', 'ofOutsideId'] },
  moneyCases: { rows: ['GetItem', 'BatchGetItem'], queries: ['byStatus', 'byBlock', 'ofClient'] },
  // The list of partners reads its whole table.
  partners: { rows: ['GetItem', 'BatchGetItem', 'Scan'] },
  personBlocks: { rows: ['GetItem'], queries: ['byState'] },
  promises: { rows: ['GetItem'] },
  settlements: { rows: ['GetItem', 'BatchGetItem'] },
  transactions: { rows: ['GetItem', 'BatchGetItem'], queries: ['due', 'ofClient', 'ofPartner', 'ofWallet'] },
  unmatchedPayments: { rows: ['GetItem', 'BatchGetItem'], queries: ['ofTransaction'] },
  usages: { rows: ['GetItem'] },
  witness: { rows: ['GetItem'] },
};

/**
 * The tables that record what people did in the console: who read personal data, and which sessions have
 * ended.
 */
const WRITES: readonly TableName[] = ['acts', 'evidence', 'endedSessions'];

/** All that the console may do: read, make the acts of its pages, and record what people did in the console. */
export function consoleGrant(backend: Backend): Grant {
  const { machine, executions } = backend.machine;
  return joinedGrants(
    ...(Object.entries(READS) as [TableName, Reads<TableName>][]).map(([name, reads]) =>
      readTable(name, reads, backend),
    ),
    consoleActs(backend),
    ...WRITES.map((name) => writeTable(name, backend)),
    asJson('operators', backend.settings.operators),
    asJson('promiseLimits', backend.settings.promiseLimits),
    readVault(backend),
    secret('lookupSecret', backend.lookup),
    readLists(backend),
    grantOf('hotWallets', backend, 'Console'),
    { variables: variable('stateMachineArn', machine), allow: to(['states:DescribeStateMachine'], machine) },
    { variables: {}, allow: readExecutions(executions) },
  );
}

function readTable(
  name: TableName,
  { rows = [], queries = [] }: Reads<TableName>,
  { tables }: Backend,
): Grant {
  const { tableName, tableArn } = tables.byName[name];
  return joinedGrants(
    { variables: variable(tableSetting(name), tableName) },
    ...rows.map((action) => ({ variables: {}, allow: to([`dynamodb:${action}`], tableArn) })),
    ...queries.map((index) => ({
      variables: {},
      allow: to(['dynamodb:Query'], `${tableArn}/index/${index}`),
    })),
  );
}

function writeTable(name: TableName, { tables }: Backend): Grant {
  const { tableName, tableArn } = tables.byName[name];
  return {
    variables: variable(tableSetting(name), tableName),
    allow: to(['dynamodb:PutItem'], tableArn),
  };
}

const readExecutions = (executions: string) => (role: IRole) => {
  to(['states:DescribeExecution', 'states:GetExecutionHistory'], executions)(role);
  acknowledgeWildcard(role, executions, 'Executions are named after transactions.');
};
