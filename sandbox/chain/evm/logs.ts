import type { Store } from '../../providers/store.ts';
import { type Log, listFilled, readFilled } from './blocks.ts';
import { isSame, NodeError } from './wire.ts';

/**
 * The filter of `eth_getLogs`, without its range of blocks. In `topics`, null matches any topic, and a list
 * matches each of its members.
 */
export type LogFilter = { address?: string | string[]; topics?: (string | string[] | null)[] };

/** The most blocks in one `eth_getLogs`. Public nodes also refuse long ranges. */
const MOST_BLOCKS = 50_000;

export async function readLogs(
  store: Store,
  { first, last }: { first: number; last: number },
  filter: LogFilter,
): Promise<Log[]> {
  if (last - first >= MOST_BLOCKS)
    throw new NodeError(`query exceeds max block range ${MOST_BLOCKS}`, -32602);
  const numbers = await listFilled(store, first, last);
  const blocks = await Promise.all(numbers.map((number) => readFilled(store, number)));
  const logs = blocks.flatMap(({ receipts }) => receipts.flatMap((receipt) => receipt.logs));
  return logs.filter((log) => matches(log, filter));
}

function matches(log: Log, { address, topics = [] }: LogFilter): boolean {
  const isWanted = (wanted: string | string[] | null | undefined, found: string | undefined) =>
    wanted === null ||
    wanted === undefined ||
    [wanted].flat().some((each) => found !== undefined && isSame(each, found));
  return isWanted(address, log.address) && topics.every((topic, index) => isWanted(topic, log.topics[index]));
}
