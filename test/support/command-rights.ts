import { tableRightsOf } from '../../operations/rights.ts';
import { sending } from './mortal-client.ts';
import type { Tables } from './tables.ts';

const READS = ['Get', 'BatchGet', 'Query', 'Scan', 'ConditionCheck'];

/** The right that a command of the client, or an item of a transaction, needs. */
const rightOf = (kind = '') => (READS.includes(kind) ? 'read' : kind.toLowerCase());

type Input = {
  TableName?: string;
  RequestItems?: Record<string, unknown>;
  TransactItems?: Record<string, { TableName: string }>[];
};
type Order = { constructor: { name: string }; input: Input };

/** Tables that refuse a call of a command to which the help of the command names no right. */
export function tablesWithRights(tables: Tables, command: string): Tables {
  const named = tableRightsOf(command);
  const send = async (order: never) => {
    const missing = rightsNeeded(order).filter((right) => !named.has(right));
    if (missing.length > 0)
      throw new Error(`operations/rights.ts lacks for ${command}: ${missing.join(', ')}`);
    return tables.client.send(order);
  };
  return { ...tables, client: sending(tables.client, send) };
}

function rightsNeeded({ constructor: { name }, input }: Order): string[] {
  const right = rightOf(name.replace(/Command$/, ''));
  const writes = (input.TransactItems ?? []).flatMap(Object.entries);
  return [
    ...[input.TableName ?? [], ...Object.keys(input.RequestItems ?? {})]
      .flat()
      .map((table) => `${right} ${table}`),
    ...writes.map(([kind, { TableName }]) => `${rightOf(kind)} ${TableName}`),
  ];
}
