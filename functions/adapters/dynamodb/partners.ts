import { type DynamoDBDocumentClient, paginateScan, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { Unavailable } from '../../domain/errors.ts';
import type { ApiKey } from '../../domain/partners/api-key.ts';
import type { Partner } from '../../domain/partners/partner.ts';
import type { Partners } from '../../domain/partners/partner-ports.ts';
import type { Random } from '../../domain/ports.ts';
import { findAll } from './find-all.ts';
import type { KeyRow, PartnerRow } from './rows.ts';
import { find, isDone, isRefused, putNew, updateOf, writeAll, writeKnowingly } from './table.ts';

const PARTNER = 'PARTNER#';
export const partnerRowId = (partnerId: string) => `${PARTNER}${partnerId}`;
export const keyRowId = (partnerId: string, keyId: string) => `KEY#${partnerId}#${keyId}`;

export function partnerStore(client: DynamoDBDocumentClient, table: string, random: Random): Partners {
  const store = { client, table };
  /** Reads consistently, so that a revocation works from its write on. */
  const readRows = (ids: string[]) => findAll<Record<string, unknown>>(store, ids);

  return {
    /**
     * Reads the rows of partner and key in one call. If a partner made the key, a second call reads the key that made
     * it.
     */
    async findCaller(partnerId, keyId) {
      const [id, partner] = [keyRowId(partnerId, keyId), partnerRowId(partnerId)];
      const rows = await readRows([id, partner]);
      const row = rows.get(partner) as PartnerRow | undefined;
      const key = rows.get(id) as KeyRow | undefined;
      const found = { key, partner: row && partnerOfRow(row) };
      if (!key?.made) return found;
      return { ...found, maker: await find<KeyRow>(store, keyRowId(partnerId, key.made.maker)) };
    },
    async findPartner(partnerId) {
      const row = await find<PartnerRow>(store, partnerRowId(partnerId));
      return row && partnerOfRow(row);
    },
    findKey: (partnerId, keyId) => find<KeyRow>(store, keyRowId(partnerId, keyId)),
    async listKeys({ id, keyIds }) {
      const ids = keyIds.map((keyId) => keyRowId(id, keyId));
      const rows = await readRows(ids);
      return ids.flatMap((each) => (rows.get(each) as KeyRow | undefined) ?? []);
    },
    async save(partner, set) {
      // With a plain write, a lost answer would look like a change by another request. The caller would then make the
      // change again, and would find no endpoint to remove.
      const Update = partnerChange(table, partner, set);
      return (await writeKnowingly(client, [{ Update }], random)) === 'WRITTEN';
    },
    async revokeKey(partnerId, keyId, by) {
      const revoked = updateOf({ status: 'REVOKED' });
      const Key = { id: keyRowId(partnerId, keyId) };
      // Without this condition the update of an unknown key would create a row.
      const Update = { TableName: table, Key, ...revoked, ConditionExpression: 'attribute_exists(id)' };
      const asker = by === undefined ? [] : [{ ConditionCheck: isActive(table, partnerId, by) }];
      const written = await writeAll(client, [...asker, { Update }], random);
      if (written === 'UNKNOWN') throw new Unavailable('the partner’s keys');
      if (written === 'WRITTEN') return true;
      if (isRefused(written.at(-1))) throw new Error(`there is no key ${keyId}`);
      return false;
    },
  };
}

function isActive(table: string, partnerId: string, keyId: string) {
  return {
    TableName: table,
    Key: { id: keyRowId(partnerId, keyId) },
    ConditionExpression: '#status = :active',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: { ':active': 'ACTIVE' },
  };
}

/** The methods of the operators' command and of the console. No other function has them as a port. */
type PartnerRegister = {
  listPartners(): Promise<Partner[]>;
  /** Answers false if the partner exists, or if the outcome of the write is unknown. */
  create(partner: Partner): Promise<boolean>;
  /**
   * Adds the key, and its id to the partner's row, in one write. False: the key exists, the partner has changed, or the
   * outcome is unknown.
   */
  createKey(partner: Partner, key: ApiKey): Promise<boolean>;
  /** Activates a key that the partner made. False: the partner made no such key. */
  approveKey(partnerId: string, keyId: string, at: number): Promise<boolean>;
};

export function partnerRegister(
  client: DynamoDBDocumentClient,
  table: string,
  random: Random,
): PartnerRegister {
  return {
    async listPartners() {
      const partners: Partner[] = [];
      const input = {
        TableName: table,
        FilterExpression: 'begins_with(id, :prefix)',
        ExpressionAttributeValues: { ':prefix': PARTNER },
        ConsistentRead: true,
      };
      for await (const { Items = [] } of paginateScan({ client }, input)) {
        partners.push(...Items.map((row) => partnerOfRow(row as PartnerRow)));
      }
      return partners.sort((a, b) => a.id.localeCompare(b.id));
    },
    async create(partner) {
      const row = { ...partner, id: partnerRowId(partner.id) };
      return (await writeKnowingly(client, [{ Put: putNew(table, row) }], random)) === 'WRITTEN';
    },
    async createKey(partner, key) {
      const row = { ...key, id: keyRowId(key.partnerId, key.keyId) };
      const items = [
        { Put: putNew(table, row) },
        { Update: partnerChange(table, partner, { keyIds: [...partner.keyIds, key.keyId] }) },
      ];
      return (await writeAll(client, items, random)) === 'WRITTEN';
    },
    async approveKey(partnerId, keyId, at) {
      const Key = { id: keyRowId(partnerId, keyId) };
      const condition = { ConditionExpression: 'attribute_exists(made)' };
      const approved = { TableName: table, Key, ...updateOf({ approvedAt: at }), ...condition };
      return isDone(client.send(new UpdateCommand(approved)));
    },
  };
}

function partnerOfRow(row: PartnerRow): Partner {
  return { ...row, keyIds: row.keyIds ?? [], version: row.version ?? 0, id: row.id.slice(PARTNER.length) };
}

/**
 * A change of the partner's row, which is refused if the row has changed since it was read. The oldest rows have no
 * `version`.
 */
export function partnerChange(table: string, { id, version }: Partner, set: Partial<Partner>) {
  const change = updateOf({ ...set, version: version + 1 });
  const isAsRead = version === 0 ? '(attribute_not_exists(#version) OR #version = :was)' : '#version = :was';
  return {
    ...change,
    TableName: table,
    Key: { id: partnerRowId(id) },
    ConditionExpression: `attribute_exists(id) AND ${isAsRead}`,
    ExpressionAttributeValues: { ...change.ExpressionAttributeValues, ':was': version },
  };
}
