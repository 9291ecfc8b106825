/** Stores the API keys that partners make themselves, and the events about them. */
import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { Unavailable } from '../../domain/errors.ts';
import type { KeyNews, PartnerKeys } from '../../domain/partners/partner-ports.ts';
import type { Random } from '../../domain/ports.ts';
import { keyRowId, partnerChange, partnerStore } from './partners.ts';
import { eventRow } from './records.ts';
import { isDone, putNew, updateOf, updateRow, writeAll } from './table.ts';

type Client = DynamoDBDocumentClient;
type KeyTables = { partners: string; events: string };

/**
 * Only an operator's key has the attribute `sha256` at the top of its row. No write here sets that attribute,
 * so no function can make a key that counts as an operator's key.
 */
export function partnerKeyStore(client: Client, tables: KeyTables, random: Random): PartnerKeys {
  const { partners: table, events } = tables;
  const { findPartner, findKey, listKeys } = partnerStore(client, table, random);
  return {
    findPartner,
    findKey,
    listKeys,
    async create(partner, { key, keyIds, event }) {
      const made = { ...updateOf({ ...key }), ConditionExpression: 'attribute_not_exists(id)' };
      const items = [
        { Update: { TableName: table, Key: { id: keyRowId(key.partnerId, key.keyId) }, ...made } },
        { Update: partnerChange(table, partner, { keyIds }) },
        { Put: putNew(events, eventRow(event)) },
      ];
      const written = await writeAll(client, items, random);
      if (written === 'UNKNOWN') throw new Unavailable('the partner’s keys');
      return written === 'WRITTEN';
    },
    async replaceSecret({ partnerId, keyId, made }, sha256) {
      const set = updateOf({ made: { ...made, sha256 } });
      const Key = { id: keyRowId(partnerId, keyId) };
      await client.send(
        new UpdateCommand({ TableName: table, Key, ...set, ConditionExpression: 'attribute_exists(made)' }),
      );
    },
  };
}

export function keyNewsStore(client: Client, table: string, random: Random): KeyNews {
  return {
    async hear({ partnerId, keyId, endpointId, at }) {
      const noted = updateRow({ client, table, random }, keyRowId(partnerId, keyId), {
        UpdateExpression: 'SET heard.#endpoint = if_not_exists(heard.#endpoint, :at)',
        ConditionExpression: 'attribute_exists(heard)',
        ExpressionAttributeNames: { '#endpoint': endpointId },
        ExpressionAttributeValues: { ':at': at },
      });
      await isDone(noted);
    },
  };
}
