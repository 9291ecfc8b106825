import { updateOf, type WriteItem } from './table.ts';

/** `set` has the attributes that the write sets besides. A negative `more` gives back. */
type Count = {
  counter: 'centavos' | 'charges';
  more: number;
  most?: number;
  set?: Parameters<typeof updateOf>[0];
};

/** Adds to a number of a row. With `most` the write is refused if the number was higher. */
export function counting(table: string, id: string, { counter, more, most, set }: Count): WriteItem {
  const { UpdateExpression = '', ExpressionAttributeValues, ...names } = set ? updateOf(set) : {};
  return {
    Update: {
      TableName: table,
      Key: { id },
      ...names,
      UpdateExpression: `${UpdateExpression} ADD ${counter} :more`.trim(),
      ...(most !== undefined && {
        ConditionExpression: `attribute_not_exists(${counter}) OR ${counter} <= :most`,
      }),
      ExpressionAttributeValues: {
        ...ExpressionAttributeValues,
        ':more': more,
        ...(most !== undefined && { ':most': most }),
      },
    },
  };
}
