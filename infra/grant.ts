import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { type Conditions, type IRole, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { DUE_INDEX } from './tables.ts';

/** What one need gives a function: variables of its environment, and leave to use what they name. */
export type Grant = { variables: Record<string, string>; allow?: (role: IRole) => void };

export function rows(variable: string, table: Table, actions: readonly string[]): Grant {
  return { variables: { [variable]: table.tableName }, allow: to(dynamodb(actions), table.tableArn) };
}

/** Only requests that name no other attribute, be it in a condition. */
export function changes(variable: string, table: Table, actions: string[], attributes: string[]): Grant {
  const named = { 'dynamodb:Attributes': ['id', ...attributes] };
  return {
    variables: { [variable]: table.tableName },
    allow: to(dynamodb(actions), table.tableArn, { 'ForAllValues:StringEquals': named }),
  };
}

export const dueRows = (table: Table): Grant => ({
  variables: {},
  allow: to(['dynamodb:Query'], `${table.tableArn}/index/${DUE_INDEX}`),
});

export const queue = (variable: string, { queueUrl, queueArn }: IQueue): Grant => ({
  variables: { [variable]: queueUrl },
  allow: to(['sqs:SendMessage'], queueArn),
});

export const secret = (variable: string, { secretArn }: ISecret): Grant => ({
  variables: { [variable]: secretArn },
  allow: to(['secretsmanager:GetSecretValue'], secretArn),
});

const dynamodb = (actions: readonly string[]) => actions.map((action) => `dynamodb:${action}`);

export const to = (actions: string[], resource: string, conditions?: Conditions) => (role: IRole) => {
  role.addToPrincipalPolicy(new PolicyStatement({ actions, resources: [resource], conditions }));
};

export function together(...grants: Grant[]): Grant {
  return {
    variables: Object.assign({}, ...grants.map(({ variables }) => variables)),
    allow: (role) => {
      for (const { allow } of grants) allow?.(role);
    },
  };
}

export const SIMULATOR_ACTIONS = ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'Scan', 'Query'];
