import {
  AttributeType,
  BillingMode,
  ProjectionType,
  StreamViewType,
  Table,
  TableEncryption,
  type TableProps,
} from 'aws-cdk-lib/aws-dynamodb';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import type { TableDescription as Description, Index, TableName } from '../functions/tables/describe.ts';
import { TABLE_LIST } from '../functions/tables.ts';
import { lifeOf } from './lifecycle.ts';
import { acknowledge } from './nag.ts';
import type { Stage } from './stage.ts';

type TablesProps = { stage: Stage; key: IKey };

const AWS_TYPE = { N: AttributeType.NUMBER, S: AttributeType.STRING } as const;

/** The tables that `functions/tables.ts` describes. */
export class Tables extends Construct {
  readonly byName: Readonly<Record<TableName, Table>>;

  constructor(scope: Construct, id: string, props: TablesProps) {
    super(scope, id);
    const made = TABLE_LIST.map((described) => [described.name, this.make(described, props)] as const);
    this.byName = Object.fromEntries(made) as Record<TableName, Table>;
  }

  private make({ name, indexes, ...described }: (typeof TABLE_LIST)[number], props: TablesProps): Table {
    const table = makeTable(
      this,
      `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
      props,
      propsOf(described),
    );
    if (described.isWithoutBackups && props.stage === 'production')
      acknowledge(table, 'DDB3', 'It must not go back in time.');
    for (const [indexName, index] of Object.entries(indexes)) addIndex(table, indexName, index);
    return table;
  }
}

type Properties = Pick<Description, 'ttl' | 'isStreamed' | 'isWithoutBackups'>;

function propsOf({ ttl, isStreamed, isWithoutBackups }: Properties): Partial<TableProps> {
  const withoutBackups = { pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: false } };
  return {
    timeToLiveAttribute: ttl,
    ...(isStreamed && { stream: StreamViewType.NEW_IMAGE }),
    ...(isWithoutBackups && withoutBackups),
  };
}

function addIndex(table: Table, indexName: string, { key, sort, sortType = 'N', projection }: Index): void {
  table.addGlobalSecondaryIndex({
    indexName,
    partitionKey: { name: key, type: AttributeType.STRING },
    sortKey: { name: sort, type: AWS_TYPE[sortType] },
    projectionType: projection === 'ALL' ? ProjectionType.ALL : ProjectionType.KEYS_ONLY,
  });
}

/** Makes one table, which is billed by use. In production a table stays when its stack is deleted. */
export function makeTable(
  scope: Construct,
  id: string,
  { stage, key }: TablesProps,
  extra: Partial<TableProps> = {},
): Table {
  const isProduction = stage === 'production';
  const table = new Table(scope, id, {
    partitionKey: { name: 'id', type: AttributeType.STRING },
    billingMode: BillingMode.PAY_PER_REQUEST,
    encryption: TableEncryption.CUSTOMER_MANAGED,
    encryptionKey: key,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: isProduction },
    deletionProtection: isProduction,
    removalPolicy: lifeOf(stage),
    ...extra,
  });
  if (!isProduction) acknowledge(table, 'DDB3', 'The rows of a sandbox are made up.');
  return table;
}
