import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { writeKnowingly } from '../../functions/adapters/dynamodb/table.ts';
import { Unavailable } from '../../functions/domain/errors.ts';
import type { Correction } from '../../functions/domain/kyc/correction.ts';
import type { Random } from '../../functions/domain/ports.ts';

/**
 * Notes wrong data of a client, and ends the client's older KYC tokens. Only the operators' command has this part.
 * False: a later correction was noted meanwhile.
 */
type Corrections = { note(clientId: string, correction: Correction): Promise<boolean> };

export function corrections(client: DynamoDBDocumentClient, table: string, random: Random): Corrections {
  return {
    async note(id, correction) {
      const Update = {
        TableName: table,
        Key: { id },
        UpdateExpression:
          'SET correctedAt = :at, corrections = list_append(if_not_exists(corrections, :none), :new)',
        // An instant that goes back would make ended tokens valid again.
        ConditionExpression:
          'attribute_exists(id) AND (attribute_not_exists(correctedAt) OR correctedAt < :at)',
        ExpressionAttributeValues: { ':at': correction.at, ':none': [], ':new': [correction] },
      };
      const written = await writeKnowingly(client, [{ Update }], random);
      if (written === 'UNKNOWN') throw new Unavailable('the clients table');
      return written === 'WRITTEN';
    },
  };
}
