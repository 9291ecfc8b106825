import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { type Conditions, type IRole, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { type Setting, tableSetting, variableOf } from '../functions/settings.ts';
import type { TableGrant } from '../functions/tables/describe.ts';
import { TABLE_LIST } from '../functions/tables.ts';
import type { AnyNeed } from './sources.ts';
import type { Tables } from './tables.ts';

/**
 * A need gives a function this: environment variables, and the permission to use the resources that they
 * name.
 */
export type Grant = { variables: Record<string, string>; allow?: (role: IRole) => void };

/**
 * The grants on tables that belong to a need, as `functions/tables.ts` describes them. Undefined if no table
 * names the need.
 */
export function tablesFor(need: AnyNeed, tables: Tables): Grant | undefined {
  const granted = TABLE_LIST.flatMap(({ name, grants }) => {
    const grant = (grants as Partial<Record<AnyNeed, TableGrant>>)[need];
    return grant ? [onTable(tableSetting(name), tables.byName[name], grant)] : [];
  });
  return granted.length > 0 ? joinedGrants(...granted) : undefined;
}

export function onTable(
  setting: Setting,
  table: Table,
  { rows = [], only, puts, queries = [] }: TableGrant,
): Grant {
  const indexes = queries.map((index) => to(['dynamodb:Query'], `${table.tableArn}/index/${index}`));
  const allowed = [
    ...(rows.length > 0 ? [to(dynamodb(rows), table.tableArn)] : []),
    ...(only ? [to(dynamodb(only.actions), table.tableArn, grantConditions(only))] : []),
    ...(puts ? [to(['dynamodb:PutItem'], table.tableArn, withIds(puts))] : []),
    ...indexes,
  ];
  return {
    variables: variable(setting, table.tableName),
    allow: (role) => {
      for (const allow of allowed) allow(role);
    },
  };
}

const grantConditions = ({ attributes, ids }: NonNullable<TableGrant['only']>): Conditions => ({
  'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['id', ...attributes] },
  ...(ids && withIds(ids)),
});

const withIds = (patterns: readonly string[]): Conditions => ({
  'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': patterns },
});

/**
 * A grant on the simulators' table. Its variable is named here, because `functions/tables.ts` does not describe this
 * table.
 */
export function rows(name: string, table: Table, actions: readonly string[]): Grant {
  return { variables: { [name]: table.tableName }, allow: to(dynamodb(actions), table.tableArn) };
}

/** One environment variable, with the name under which functions read the setting. */
export const variable = (setting: Setting, value: string) => ({ [variableOf(setting)]: value });

export const asJson = (setting: Setting, value: unknown): Grant => ({
  variables: variable(setting, JSON.stringify(value)),
});

export const queueGrant = (setting: Setting, { queueUrl, queueArn }: IQueue): Grant => ({
  variables: variable(setting, queueUrl),
  allow: to(['sqs:SendMessage'], queueArn),
});

export const secret = (setting: Setting, { secretArn }: ISecret): Grant => ({
  variables: variable(setting, secretArn),
  allow: to(['secretsmanager:GetSecretValue'], secretArn),
});

const dynamodb = (actions: readonly string[]) => actions.map((action) => `dynamodb:${action}`);

export const to = (actions: string[], resource: string, conditions?: Conditions) => (role: IRole) => {
  role.addToPrincipalPolicy(new PolicyStatement({ actions, resources: [resource], conditions }));
};

export function joinedGrants(...grants: Grant[]): Grant {
  return {
    variables: Object.assign({}, ...grants.map(({ variables }) => variables)),
    allow: (role) => {
      for (const { allow } of grants) allow?.(role);
    },
  };
}
