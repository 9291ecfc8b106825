import { type DynamoDBDocumentClient, PutCommand, type PutCommandInput } from '@aws-sdk/lib-dynamodb';
import { getDefined } from '../../domain/get.ts';
import { isBlockInForce, type PersonBlock, type Ruling } from '../../domain/kyc/person-block.ts';
import type { PersonBlocks, PersonBlocksDesk } from '../../domain/kyc/person-block-ports.ts';
import type { Random } from '../../domain/ports.ts';
import { ttlOf } from '../../domain/retention.ts';
import { listIdsBy } from './find-all.ts';
import type { OpenMedsRow, PersonBlockRow } from './rows.ts';
import { find, isDone, type Store, writeRow } from './table.ts';

export function personBlockStore(
  client: DynamoDBDocumentClient,
  table: string,
  random: Random,
): PersonBlocks & PersonBlocksDesk {
  const store = { client, table };
  const findBlock = (id: string) => findBlockRow(store, id);
  const write = (put: PutCommandInput) => isDone(writeRow(() => client.send(new PutCommand(put)), random));

  return {
    findBlock,
    async listOpenMeds(id) {
      return [...((await find<OpenMedsRow>(store, openMedsId(id)))?.cases ?? [])];
    },
    async block(wanted) {
      await write(blockPut(wanted, table));
      return getDefined(await findBlock(wanted.id), 'block of a person');
    },
    async lift(id, lifted) {
      const known = await findBlock(id);
      if (isBlockInForce(known, lifted.at)) await write(liftPut(known, lifted, table));
      return findBlock(id);
    },
    async listBlocks(state) {
      const found = await Promise.all((await listIdsBy(store, BY_STATE, state)).map(findBlock));
      return found.filter((block) => block !== undefined).filter((block) => block.state === state);
    },
  };
}

const BY_STATE = { index: 'byState', key: 'state' };

/**
 * The id of the row with the ids of a person's open MED cases. MED is the refund procedure of Pix for fraud.
 */
export const openMedsId = (personId: string) => `MED#${personId}`;

/**
 * Writes a block. It replaces an earlier block of the person that was lifted or has ended, because the
 * evidence store keeps that block. It does not replace a block that is in force.
 */
export function blockPut(block: PersonBlock, table: string) {
  return {
    TableName: table,
    Item: toBlockRow(block, block.until),
    ConditionExpression: 'attribute_not_exists(id) OR #state = :lifted OR #until <= :now',
    ExpressionAttributeNames: { '#state': 'state', '#until': 'until' },
    ExpressionAttributeValues: { ':lifted': 'LIFTED', ':now': block.at },
  };
}

function liftPut(known: PersonBlock, lifted: Ruling, table: string) {
  return {
    TableName: table,
    Item: toBlockRow({ ...known, state: 'LIFTED', lifted }, lifted.at),
    ConditionExpression: '#state = :active AND #at = :at',
    ExpressionAttributeNames: { '#state': 'state', '#at': 'at' },
    ExpressionAttributeValues: { ':active': 'ACTIVE', ':at': known.at },
  };
}

/** The row of a block. Without an `end` it has no time to live, so it stays until the block is lifted. */
function toBlockRow(block: PersonBlock, end: number | undefined): PersonBlockRow {
  return { ...block, ...(end !== undefined && { ttl: ttlOf('personBlocks', end) }) };
}

async function findBlockRow(store: Store, id: string): Promise<PersonBlock | undefined> {
  const { ttl: _, heldTtl: __, ...block } = (await find<PersonBlockRow>(store, id)) ?? {};
  return 'id' in block ? block : undefined;
}
