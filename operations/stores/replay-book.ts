import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Chain } from '../../functions/adapters/chain/chain.ts';
import { finalBlock } from '../../functions/adapters/chain/foreign-use.ts';
import type { Signer } from '../../functions/adapters/chain/kms-signer.ts';
import { readNonce } from '../../functions/adapters/chain/preflight.ts';
import type { Node, Rpc } from '../../functions/adapters/chain/rpc.ts';
import { toSettlement, toSettlementRow } from '../../functions/adapters/dynamodb/settlement-parser.ts';
import {
  claimPurchase,
  payKey,
  type SettlementItem,
  slotKeyOf,
  stillAs,
  walletKeyOf,
} from '../../functions/adapters/dynamodb/settlement-rows.ts';
import {
  find,
  isDone,
  putNew,
  type WriteItem,
  writeKnowingly,
  writeRow,
} from '../../functions/adapters/dynamodb/table.ts';
import type { Clock, Random } from '../../functions/domain/ports.ts';
import type { Match, SentTransfer, Unpaid } from '../../functions/domain/treasury/replay.ts';
import {
  asFinal,
  asLost,
  type Lost,
  openSettlement,
  type Settlement,
} from '../../functions/domain/treasury/settlement.ts';

/**
 * How many transactions of a wallet are final. `open` is true if a node knows further ones, which are not
 * final.
 */
export type Count = { address: string; used: number; open: boolean };

/** Corrects the treasury's rows after a restore. Only the operators' command has this part. */
type ReplayBook = {
  /** Counts the wallets' transactions on every node. Throws if a node does not answer. */
  listCounts(): Promise<Count[]>;
  findSettlement(transactionId: string): Promise<Settlement | undefined>;
  /**
   * Writes in one transaction a final transfer, the row of its nonce (the slot), and the purchase's
   * `disposition`. False if one of the rows has changed since it was read.
   */
  record(match: Match): Promise<boolean>;
  /**
   * Marks a payout as doubtful (`LOST`). It is then neither paid nor refunded until a person has decided. False if its
   * row has changed since it was read.
   */
  doubt(match: Match): Promise<boolean>;
  /**
   * Records that a doubtful payout was not paid. From now on it is settled like any other. False if its row has changed
   * since it was read.
   */
  undoubt(settlement: Lost): Promise<boolean>;
  /** Raises the wallet's next nonce to the chain's count, if that is higher. */
  advance(count: Count): Promise<void>;
};

type Ports = {
  rpc: Rpc;
  chain: Chain;
  signers: readonly Signer[];
  client: DynamoDBDocumentClient;
  tables: { settlements: string; transactions: string };
  random: Random;
  clock: Clock;
};

export function replayBook({ rpc, chain, signers, client, tables, random, clock }: Ports): ReplayBook {
  const table = tables.settlements;
  const write = async (items: WriteItem[]) => (await writeKnowingly(client, items, random)) === 'WRITTEN';

  async function countOf(nodes: readonly Node[], address: string): Promise<Count> {
    const seen = await Promise.all(nodes.map((node) => countsAt(node, chain, address)));
    const all = seen.flat();
    const used = Math.min(...all);
    return { address, used, open: all.some((each) => each !== used) };
  }

  /**
   * The write that replaces the settlement. It fails if the row has changed since it was read. A doubtful
   * settlement may have changed, but must still be in doubt.
   */
  function replace({ settlement, payout }: Unpaid, next: Settlement): WriteItem {
    const Item = toSettlementRow(next);
    if (!settlement) return { Put: putNew(table, { ...Item, id: payKey(payout.transactionId) }) };
    const condition = settlement.state === 'LOST' ? IN_DOUBT : stillAs(settlement);
    return { Put: { TableName: table, Item, ...condition } };
  }

  return {
    async listCounts() {
      // `listAddresses` would leave out a wallet whose key does not answer, but here no wallet may be missing.
      const [nodes, addresses] = await Promise.all([
        rpc.nodes(),
        Promise.all(signers.map((signer) => signer.address())),
      ]);
      if (nodes.length < (chain.minimumNodes ?? 1)) throw new Error('too few nodes are configured');
      return Promise.all(addresses.map((address) => countOf(nodes, address)));
    },
    async findSettlement(transactionId) {
      const row = await find<SettlementItem>({ client, table }, payKey(transactionId));
      return row && toSettlement(row);
    },
    record(match) {
      const { payout, transfer } = match;
      return write([
        replace(match, asFinal(withTransfer(match, clock.now()), transfer.blockNumber)),
        slotOf(table, chain, transfer, payout.transactionId),
        claimPurchase(tables.transactions, payout.transactionId),
      ]);
    },
    doubt: (match) => write([replace(match, asLost(withTransfer(match, clock.now())))]),
    undoubt(settlement) {
      const undoubted = { ...openSettlement(settlement, settlement.openedAt), tries: settlement.tries };
      return write([replace({ payout: settlement, settlement }, undoubted)]);
    },
    async advance({ address, used }) {
      const advanced = new UpdateCommand({
        TableName: table,
        Key: { id: walletKeyOf(chain.chainId, address) },
        UpdateExpression: 'SET #next = :next',
        ConditionExpression: 'attribute_not_exists(#next) OR #next < :next',
        ExpressionAttributeNames: { '#next': 'next' },
        ExpressionAttributeValues: { ':next': used },
      });
      await isDone(writeRow(() => client.send(advanced), random));
    },
  };
}

const IN_DOUBT = {
  ConditionExpression: '#state = :lost',
  ExpressionAttributeNames: { '#state': 'state' },
  ExpressionAttributeValues: { ':lost': 'LOST' },
};

/** Three counts of a wallet's transactions on one node: final ones, mined ones, and all that the node knows. */
async function countsAt(node: Node, chain: Chain, address: string): Promise<number[]> {
  const final = await finalBlock(node, chain);
  const blocks = [final ?? '0x0', 'latest', 'pending'];
  return Promise.all(blocks.map((block) => readNonce(node, address, block)));
}

/** Makes the settlement the owner of the transfer's nonce, whatever nonce it owned before. */
function withTransfer({ payout, settlement, transfer }: Match, now: number) {
  const { wallet, nonce, txHash } = transfer;
  return { ...(settlement ?? openSettlement(payout, now)), wallet, nonce, txHash };
}

function slotOf(
  TableName: string,
  chain: Chain,
  { wallet, nonce }: SentTransfer,
  transactionId: string,
): WriteItem {
  return {
    Update: {
      TableName,
      Key: { id: slotKeyOf(chain.chainId, wallet, nonce) },
      UpdateExpression: 'SET transactionId = :id, kind = :pay',
      ConditionExpression: 'attribute_not_exists(id) OR transactionId = :id',
      ExpressionAttributeValues: { ':id': transactionId, ':pay': 'pay' },
    },
  };
}
