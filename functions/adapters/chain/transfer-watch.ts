import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Clock, Log, Random } from '../../domain/ports.ts';
import {
  asFinal,
  asLost,
  asMoved,
  bytesOf,
  judgeConfirmed,
  type Receipt,
  type Settlement,
  type WatchVerdict,
} from '../../domain/treasury/settlement.ts';
import type { Transfers } from '../../domain/treasury/settlement-ports.ts';
import { payKey, type Row, SWEEP, toSettlement } from '../dynamodb/settlement-rows.ts';
import { find, queryDue, updateOf, type WriteItem, writeAll } from '../dynamodb/table.ts';
import type { Chain } from './chain.ts';
import { isUsedByOthers } from './foreign-use.ts';
import { readNonce } from './preflight.ts';
import { readReceipts } from './receipts.ts';
import type { Rpc } from './rpc.ts';

type Ports = {
  rpc: Rpc;
  chain: Chain;
  client: DynamoDBDocumentClient;
  tables: { settlements: string; transactions: string };
  clock: Clock;
  log: Log;
  random: Random;
};

/** The older a transfer that is not final, the less often it is looked at: after a quarter of its age. */
const AGE_SHARE = 4;
const LONGEST_PAUSE_MINUTES = 30;
/** So long no node that is any good lags. */
const DOUBT_MINUTES = 10;

/** docs/settlement.md, step 9. It signs nothing: what it casts are the bytes that were confirmed. */
export function transferWatch(ports: Ports): Transfers {
  const { rpc, chain, client, tables, clock, log, random } = ports;
  const store = { client, table: tables.settlements };

  async function judged(settlement: Settlement): Promise<{ verdict: WatchVerdict; mined?: Receipt }> {
    const { wallet = '', nonce = 0 } = settlement;
    const receipts = await readReceipts(rpc, chain, settlement);
    const isNonceUsed = receipts.length === 0 && (await readNonce(rpc, wallet)) > nonce;
    const verdict = judgeConfirmed(settlement, receipts, { confirmations: chain.confirmations, isNonceUsed });
    if (verdict !== 'DOUBT') return { verdict, mined: receipts[0] };
    return { verdict: (await isProvenLost(settlement)) ? 'LOST' : 'DOUBT' };
  }

  async function isProvenLost(settlement: Settlement): Promise<boolean> {
    const ageMs = clock.now() - (settlement.confirmedAt ?? clock.now());
    return ageMs > DOUBT_MINUTES * clock.minuteMs && isUsedByOthers(rpc, chain, settlement);
  }

  async function act(settlement: Settlement, { verdict, mined }: Awaited<ReturnType<typeof judged>>) {
    if (verdict === 'FINAL') return write(settlement, asFinal(settlement, mined!.blockNumber));
    if (verdict === 'MOVED') return move(settlement, mined!);
    if (verdict === 'LOST') {
      // Before the write: whoever dies in between says it again.
      warn(settlement, 'completed transfer is lost');
      return write(settlement, asLost(settlement));
    }
    if (verdict === 'CAST') {
      warn(settlement, 'completed transfer was dropped from the chain, and is cast again');
      await rpc.broadcast(bytesOf(settlement) ?? '');
    }
    return postpone(settlement);
  }

  /** Settlement and purchase together: what the partner reads is the transfer that is in the chain. */
  async function move(settlement: Settlement, mined: Receipt): Promise<void> {
    const moved = later(asMoved(settlement, mined));
    const { transactionId, txHash } = settlement;
    await write(settlement, moved, {
      Update: {
        TableName: tables.transactions,
        Key: { id: transactionId },
        UpdateExpression:
          'SET txHash = :txHash, formerTxHashes = list_append(if_not_exists(formerTxHashes, :none), :former)',
        // Before it is completed, the machine has the former hash in its hands: then at the next look.
        ConditionExpression: '#status = :completed AND txHash = :was',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: {
          ...{ ':txHash': mined.hash, ':was': txHash, ':completed': 'COMPLETED' },
          ...{ ':none': [], ':former': [txHash] },
        },
      },
    });
    warn(settlement, 'completed transfer has another hash');
  }

  const postpone = (settlement: Settlement) => write(settlement, later(settlement));

  function later(settlement: Settlement): Settlement {
    const now = clock.now();
    const ageMs = now - (settlement.confirmedAt ?? now);
    const pauseMs = Math.min(ageMs / AGE_SHARE, LONGEST_PAUSE_MINUTES * clock.minuteMs);
    return { ...settlement, nextCheckAt: Math.ceil(now + Math.max(pauseMs, clock.minuteMs)) };
  }

  /** Nothing but what a look may change. Dropped where another has looked at the same time. */
  async function write(was: Settlement, next: Settlement, ...others: WriteItem[]): Promise<void> {
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
        ...{ ':confirmed': 'CONFIRMED', ':was': was.txHash, ':look': was.nextCheckAt },
      },
    };
    await writeAll(client, [{ Update }, ...others], random);
  }

  function warn({ transactionId, txHash = '' }: Settlement, doing: string): void {
    log.error('transfer needs attention', undefined, { transactionId, txHash, doing });
  }

  return {
    async listDue(now, limit) {
      const due = await queryDue(store, {
        KeyConditionExpression: 'sweep = :sweep AND nextCheckAt <= :now',
        ExpressionAttributeValues: { ':sweep': SWEEP, ':now': now },
        Limit: limit,
      });
      return due.map((id) => id.slice(payKey('').length));
    },
    async look(transactionId) {
      const row = await find<Row>(store, payKey(transactionId));
      const settlement = row && toSettlement(row);
      if (settlement?.state !== 'CONFIRMED' || settlement.nextCheckAt === undefined) return undefined;
      try {
        const found = await judged(settlement);
        await act(settlement, found);
        return found.verdict;
      } catch (error) {
        // Also where nobody answers: a batch of such rows would keep all younger ones from being looked at.
        await postpone(settlement);
        throw error;
      }
    },
  };
}
