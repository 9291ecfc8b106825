import { type Fields, fields, list, text } from './wire.ts';

/** One write in a request to DynamoDB. A batch or a transaction holds several writes. */
export type Write = { table: string; request: Fields };

export function writesOf(operation: string, input: Fields): Write[] {
  if (operation === 'BatchWriteItem') return batched(input);
  if (operation === 'TransactWriteItems') {
    return list(input.TransactItems)
      .flatMap((item) => Object.values(fields(item)))
      .map(fields)
      .map((request) => ({ table: text(request.TableName), request }));
  }
  const isWrite = ['PutItem', 'UpdateItem', 'DeleteItem'].includes(operation);
  return isWrite ? [{ table: text(input.TableName), request: input }] : [];
}

function batched(input: Fields): Write[] {
  return Object.entries(fields(input.RequestItems)).flatMap(([table, requests]) =>
    list(requests).map((request) => {
      const { PutRequest, DeleteRequest } = fields(request);
      return { table, request: fields(PutRequest ?? DeleteRequest) };
    }),
  );
}

const ASSIGNMENT = /(#?\w+)\s*=\s*(:\w+)/g;

/**
 * The attributes whose values the write's request contains: those of its key, of its item, and of the
 * assignments in its update expression.
 */
export function attributesSet({ request }: Write): Fields {
  const names = fields(request.ExpressionAttributeNames);
  const values = fields(request.ExpressionAttributeValues);
  const assigned = [...text(request.UpdateExpression).matchAll(ASSIGNMENT)].map(
    ([, name = '', value = '']) => [name.startsWith('#') ? text(names[name]) : name, values[value]],
  );
  return { ...fields(request.Key), ...fields(request.Item), ...Object.fromEntries(assigned) };
}
