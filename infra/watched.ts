/** The resources whose metrics are watched, and the dimensions by which CloudWatch names each of them. */
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { CfnPipe } from 'aws-cdk-lib/aws-pipes';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { getDefined } from '../functions/domain/get.ts';
import type { Watched } from '../functions/domain/watching/alarm.ts';
import type { OnrampApi } from './api.ts';
import type { Edge } from './edge-settings.ts';
import type { Functions } from './functions.ts';
import type { KeyWatch } from './key-watch.ts';
import type { Queues } from './queues.ts';
import type { Tables } from './tables.ts';

export type Resources = {
  queues: Queues;
  stateMachine: StateMachine;
  apis: readonly OnrampApi[];
  pipe: CfnPipe;
  tables: Tables;
  functions: Functions;
  edge: Edge;
  /** Absent in a sandbox, because only production watches its signing keys. */
  keyWatch?: KeyWatch;
};

export type Dimensions = Record<string, string>;

/**
 * The CloudWatch dimensions that name the watched resource. There is one set for each part, such as each
 * table of several. A metric of the whole account has one empty set. The list is empty if the stage does not
 * have the resource.
 */
export function dimensionsOf(watched: Watched, resources: Resources): Dimensions[] {
  const { queues, stateMachine, apis, pipe, keyWatch } = resources;
  if (watched === 'account') return [{}];
  if (watched === 'machine') return [{ StateMachineArn: stateMachine.stateMachineArn }];
  if (watched === 'api')
    return apis.map((api) => ({ ApiName: api.restApiName, Stage: api.deploymentStage.stageName }));
  if (watched === 'keys') return keyWatch ? [{ QueueName: keyWatch.queue.queueName }] : [];
  if (watched === 'pipe') return [{ PipeName: pipe.ref }];
  if ('certificate' in watched) return certificatesOf(watched.certificate, resources);
  if ('queue' in watched) return [{ QueueName: queues[watched.queue].queueName }];
  if ('deadLetters' in watched) return [{ QueueName: queues.deadLetters[watched.deadLetters].queueName }];
  if ('schedule' in watched)
    return [{ FunctionName: resources.functions.find(watched.schedule).functionName }];
  if ('indexes' in watched) return watched.indexes.map((name) => indexDimensions(name, resources));
  return watched.tables.map((name) => ({ TableName: getTable(name, resources).tableName }));
}

function indexDimensions(name: string, resources: Resources): Dimensions {
  const [table = '', GlobalSecondaryIndexName = ''] = name.split('.');
  return { TableName: getTable(table, resources).tableName, GlobalSecondaryIndexName };
}

function certificatesOf(domain: 'callbackDomain' | 'apiDomain', { edge }: Resources): Dimensions[] {
  const { certificateArn: CertificateArn } = edge[domain] ?? {};
  return CertificateArn === undefined ? [] : [{ CertificateArn }];
}

function getTable(name: string, { tables }: Resources): Table {
  const byName: Readonly<Record<string, Table>> = tables.byName;
  return getDefined(byName[name], `table ${name}`);
}
