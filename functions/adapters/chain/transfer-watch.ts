import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Clock, Log, Random } from '../../domain/ports.ts';
import type { GasSpent } from '../../domain/treasury/gas.ts';
import {
  asFinal,
  asLost,
  asMoved,
  attemptToCast,
  type Confirmed,
  type Final,
  isWatched,
  type Lost,
} from '../../domain/treasury/settlement.ts';
import type { Look, Transfers } from '../../domain/treasury/settlement-ports.ts';
import { TRANSFER_FINDINGS, type TransferFinding } from '../../domain/treasury/transfer-findings.ts';
import {
  type ChainReceipt,
  gasOf,
  judgeConfirmed,
  type WatchVerdict,
} from '../../domain/treasury/verdict.ts';
import { DUE } from '../../tables/sharded.ts';
import { spendGas, writeWithGas } from '../dynamodb/gas.ts';
import { toSettlement } from '../dynamodb/settlement-parser.ts';
import { payKey, type SettlementItem } from '../dynamodb/settlement-rows.ts';
import { listDueIds } from '../dynamodb/shards.ts';
import { find, type Store, updateOf, type WriteItem } from '../dynamodb/table.ts';
import type { Chain } from './chain.ts';
import { isUsedByOthers } from './foreign-use.ts';
import { readNonce } from './preflight.ts';
import { readReceipts } from './receipts.ts';
import type { Rpc } from './rpc.ts';

type Ports = {
  rpc: Rpc;
  chain: Chain;
  client: DynamoDBDocumentClient;
  tables: { settlements: string; transactions: string; ledger: string };
  clock: Clock;
  log: Log;
  random: Random;
};

/**
 * The pause until the next look is the transfer's age divided by this number. It lasts at least a minute, and at most
 * `LONGEST_PAUSE_MINUTES`.
 */
const AGE_SHARE = 4;
const LONGEST_PAUSE_MINUTES = 30;
/** A completed transfer can count as lost only after this time, because no working node lags longer. */
const DOUBT_MINUTES = 10;

/**
 * Runs step 9 of docs/settlement.md. It signs nothing. It only sends the bytes of a completed transfer again,
 * if the chain has dropped the transfer.
 */
export function transferWatch(ports: Ports): Transfers {
  const store: Store = { client: ports.client, table: ports.tables.settlements };
  return {
    async listDue(now, limit) {
      const due = await listDueIds(store, DUE, { now, limit });
      return due.map((id) => id.slice(payKey('').length));
    },
    async look(transactionId) {
      const row = await find<SettlementItem>(store, payKey(transactionId));
      const settlement = row && toSettlement(row);
      if (!settlement || !isWatched(settlement)) return undefined;
      try {
        const seen = await judgeTransfer(ports, settlement);
        return await act(ports, settlement, seen);
      } catch (error) {
        // An error also delays the next look, otherwise a transfer that always fails would block all later ones.
        await writeWatched(ports, settlement, { next: laterWatch(ports, settlement) });
        throw error;
      }
    },
  };
}

/** `gas` is the cost of the transaction, once that is final. */
type JudgedTransfer = { verdict: WatchVerdict; gas?: GasSpent };

async function judgeTransfer(ports: Ports, settlement: Confirmed): Promise<JudgedTransfer> {
  const { rpc, chain } = ports;
  const receipts = await readReceipts(rpc, chain, settlement);
  const isNonceUsed = receipts.length === 0 && (await readNonce(rpc, settlement.wallet)) > settlement.nonce;
  const verdict = judgeConfirmed(settlement, receipts, { confirmations: chain.confirmations, isNonceUsed });
  const gas = gasOf(receipts, ports.clock.now());
  const isLost = verdict === 'DOUBT' && (await isProvenLost(ports, settlement));
  return { verdict: isLost ? 'LOST' : verdict, gas };
}

async function isProvenLost({ rpc, chain, clock }: Ports, settlement: Confirmed): Promise<boolean> {
  const ageMs = clock.now() - settlement.confirmedAt;
  return ageMs > DOUBT_MINUTES * clock.minuteMs && isUsedByOthers(rpc, chain, settlement);
}

async function act(ports: Ports, settlement: Confirmed, { verdict, gas }: JudgedTransfer): Promise<Look> {
  switch (verdict) {
    case 'LOST':
      // The alarm is raised before the write. If the function dies in between, the next look raises it again.
      raise(ports, settlement, 'completed transfer is lost');
      await writeWatched(ports, settlement, { next: asLost(settlement), gas });
      return verdict;
    case 'CAST':
      raise(ports, settlement, 'completed transfer was dropped from the chain, and is cast again');
      await ports.rpc.broadcast(attemptToCast(settlement).raw);
      await writeWatched(ports, settlement, { next: laterWatch(ports, settlement) });
      return verdict;
    case 'WAIT':
    case 'DOUBT':
      await writeWatched(ports, settlement, { next: laterWatch(ports, settlement) });
      return verdict;
  }
  if ('moved' in verdict) {
    await moveTransfer(ports, settlement, verdict.moved);
    return 'MOVED';
  }
  await writeWatched(ports, settlement, { next: asFinal(settlement, verdict.final.blockNumber), gas });
  return 'FINAL';
}

/** Changes the settlement and the purchase in one write, so that the partner reads the hash that is in the chain. */
async function moveTransfer(ports: Ports, settlement: Confirmed, mined: ChainReceipt): Promise<void> {
  const { transactionId, txHash } = settlement;
  const Update = {
    TableName: ports.tables.transactions,
    Key: { id: transactionId },
    UpdateExpression:
      'SET txHash = :txHash, formerTxHashes = list_append(if_not_exists(formerTxHashes, :none), :former)',
    // Before the purchase is completed, the running execution still uses the former hash. Then this write is refused,
    // and a later look makes it.
    ConditionExpression: '#status = :completed AND txHash = :was',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ':txHash': mined.hash,
      ':was': txHash,
      ':completed': 'COMPLETED',
      ':none': [],
      ':former': [txHash],
    },
  };
  await writeWatched(ports, settlement, {
    next: laterWatch(ports, asMoved(settlement, mined)),
    others: [{ Update }],
  });
  raise(ports, settlement, 'completed transfer has another hash');
}

function laterWatch({ clock }: Ports, settlement: Confirmed): Confirmed {
  const now = clock.now();
  const ageMs = now - settlement.confirmedAt;
  const pauseMs = Math.min(ageMs / AGE_SHARE, LONGEST_PAUSE_MINUTES * clock.minuteMs);
  return { ...settlement, nextCheckAt: Math.ceil(now + Math.max(pauseMs, clock.minuteMs)) };
}

type WatchChange = { next: Confirmed | Final | Lost; others?: WriteItem[]; gas?: GasSpent };

/**
 * Writes only the attributes that a look may change. Nothing is written if another look was faster, or if one of
 * `others` is refused.
 */
async function writeWatched(
  { client, chain, tables, random }: Ports,
  was: Confirmed,
  { next, others = [], gas }: WatchChange,
): Promise<void> {
  const { state, txHash, blockNumber, nextCheckAt } = next;
  const set = { state, txHash, blockNumber, nextCheckAt };
  const update = updateOf(set, nextCheckAt === undefined ? ['nextCheckAt', 'sweep'] : []);
  const Update = {
    TableName: tables.settlements,
    Key: { id: payKey(was.transactionId) },
    ...update,
    ConditionExpression: '#state = :confirmed AND #txHash = :was AND #nextCheckAt = :look',
    ExpressionAttributeValues: {
      ...update.ExpressionAttributeValues,
      ':confirmed': 'CONFIRMED',
      ':was': was.txHash,
      ':look': was.nextCheckAt,
    },
  };
  const { settlements: settlementsTable, ledger: ledgerTable } = tables;
  const spent = spendGas({ settlementsTable, ledgerTable, chainId: chain.chainId }, was, gas);
  await writeWithGas(client, { items: [{ Update }, ...others], gas: spent }, random);
}

function raise({ log }: Ports, { transactionId, txHash }: Confirmed, doing: TransferFinding): void {
  log.raise(TRANSFER_FINDINGS[doing].raises, undefined, { transactionId, txHash, doing });
}
