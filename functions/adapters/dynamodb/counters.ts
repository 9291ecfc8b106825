import { updateOf, type WriteItem } from './table.ts';

/**
 * A change of one number in a row. A negative `more` lowers the number. `set` and `remove` are other attributes of the
 * same write.
 */
type Count = {
  counter: 'centavos' | 'charges' | 'calls';
  more: number;
  most?: number;
  set?: Parameters<typeof updateOf>[0];
  remove?: readonly string[];
};

/** Adds `more` to the number. The write is refused if the number is already higher than `most`. */
export function counting(
  table: string,
  id: string,
  { counter, more, most, set, remove }: Count,
): Pick<Required<WriteItem>, 'Update'> {
  const {
    UpdateExpression = '',
    ExpressionAttributeValues,
    ...names
  } = set || remove ? updateOf(set ?? {}, remove) : {};
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
