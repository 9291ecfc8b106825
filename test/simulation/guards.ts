import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { Transaction as Signed } from 'ethers';
import type { Transaction } from '../../functions/domain/purchase/transaction.ts';
import {
  centavos,
  isSettled,
  type PixRecord,
  type Refund,
} from '../../sandbox/providers/psp/received-pix.ts';
import { type Bank, returnedOf, sumOf } from './bank.ts';
import type { MemoryDynamoDb } from './cloud/dynamodb.ts';
import type { Kernel } from './kernel.ts';
import type { Facts } from './ledger-of-facts.ts';
import { chain, type Node } from './node.ts';
import { MINUTE_MS } from './times.ts';
import type { Violation } from './violation.ts';

type Cast = { hash: string; nonce: number; from: string };
type World = {
  kernel: Kernel;
  memory: MemoryDynamoDb;
  names: Record<string, string>;
  facts: Facts;
  bank: () => Bank;
  node: () => Node;
  report: (violation: Violation) => void;
};

/**
 * The validity of a check of the client, as in functions/logic/purchase/client-refused.ts, plus the time from the
 * check to the nonce.
 */
const LOOK_GOOD_MS = 11 * MINUTE_MS;

/** Judges every transfer and every refund at the moment when it is sent (invariants 3 and 4). */
export function openGuards({ kernel, memory, names, facts, bank, node, report }: World) {
  const casts = new Map<string, Cast[]>();
  const tally = { takenUnseen: 0 };

  async function rowOf(table: string, id: string): Promise<Record<string, unknown> | undefined> {
    return (await memory.client.send(new GetCommand({ TableName: table, Key: { id }, ConsistentRead: true })))
      .Item;
  }

  /**
   * Invariant 3. A transfer needs an exact payment in time by the right person, and a wallet that passed its check.
   */
  async function onCast(raw: string): Promise<void> {
    const sent = Signed.from(raw);
    const isToken = Object.values(chain.tokens).some(
      ({ address }) => address.toLowerCase() === sent.to?.toLowerCase(),
    );
    // A cancellation moves no tokens.
    if (!isToken || sent.data.length < 138) return;
    const wallet = `0x${sent.data.slice(34, 74)}`;
    const bought = facts.ofWallet(wallet);
    if (!bought) return report({ invariant: 3, says: `tokens are sent to ${wallet}, who bought nothing` });
    const { scope, cpf, amountCentavos } = bought.plan;
    const known = casts.get(scope) ?? [];
    casts.set(scope, known);
    if (known.some(({ hash }) => hash === sent.hash)) return;
    const cast = { hash: sent.hash!, nonce: sent.nonce, from: sent.from! };
    const others = known.filter(({ nonce, from }) => nonce !== cast.nonce || from !== cast.from);
    known.push(cast);
    if (others.length > 0 && (await isUsable(cast)))
      for (const what of await openOf(others))
        report({ invariant: 1, says: `${facts.transactionOf(bought)}: sent anew while ${what}`, scope });
    const id = facts.transactionOf(bought) ?? 'none';
    const row = (await rowOf(names.transactions!, id)) as unknown as Transaction | undefined;
    const pix = (await bank().listPix()).find((each) => each.endToEndId === row?.payment?.endToEndId);
    const until = (await bank().expiryOf(id)) ?? 0;
    const says = (what: string) => report({ invariant: 3, says: `${id}: sent ${what}`, scope });
    if (!pix) return says('without a payment at the provider');
    if (centavos(pix.valor) !== BigInt(amountCentavos)) says(`although ${pix.valor} was paid`);
    if (pix.payerCpf !== cpf) says('although somebody else paid');
    if (Date.parse(pix.horario) > until) says('although it was paid too late');
    if (!facts.cleared.has(id)) says('without a wallet check that was passed');
    const isReturned = ({ natureza, outcome, ...rest }: Refund) =>
      natureza === 'ORIGINAL' &&
      (outcome === 'DEVOLVIDO' || !isSettled({ ...rest, natureza, outcome }, new Date(kernel.now())));
    judgeTaken(pix, id, says);
    if (pix.refunds.some(isReturned))
      report({ invariant: 4, says: `${id}: sent after its refund began`, scope });
  }

  /**
   * No transfer may follow when the bank took the whole payment back. The exception is a read of the charge that was
   * still valid when the nonce was taken.
   */
  function judgeTaken(pix: PixRecord, id: string, says: (what: string) => void): void {
    const { taken } = returnedOf(pix, kernel.now());
    if (sumOf(taken) < centavos(pix.valor) || bank().wasOutdated(id)) return;
    const goneAt = Math.max(...taken.map(({ settlesAt }) => Date.parse(settlesAt)));
    const since = (facts.nonceAt.get(id) ?? 0) - LOOK_GOOD_MS;
    const isExcused = bank()
      .looksAt(id)
      .some((at) => at >= since && at <= goneAt);
    if (!isExcused) says('although the bank had taken it all back');
    else tally.takenUnseen++;
  }

  /** Invariant 4. At a refund, no transfer of the purchase may be in the chain, and none may still be mined. */
  async function onRefund(endToEndId: string): Promise<void> {
    const bought = facts.ofPix(endToEndId);
    if (!bought) return;
    const { scope } = bought.plan;
    const id = facts.transactionOf(bought);
    const row = id && ((await rowOf(names.transactions!, id)) as unknown as Transaction | undefined);
    if (!row || row.payment?.endToEndId !== endToEndId) return;
    const says = (what: string) =>
      report({ invariant: 4, says: `${id}: refund asked for while ${what}`, scope });
    const settlement = await rowOf(names.settlements!, `PAY#${id}`);
    if (settlement?.nonce !== undefined) says('its settlement owns a nonce');
    if (row.status === 'COMPLETED') says('it is COMPLETED');
    for (const what of await openOf(casts.get(scope) ?? [])) says(what);
  }

  /** The transfers that are in the chain already or could still be mined. */
  async function openOf(sent: readonly Cast[]): Promise<string[]> {
    const found: string[] = [];
    for (const cast of sent) {
      const { hash } = cast;
      const receipt = await node().node<{ status: string } | null>('eth_getTransactionReceipt', [hash]);
      if (receipt?.status === '0x1') found.push(`its transfer ${hash} is in the chain`);
      if (await isUsable(cast)) found.push(`its transfer ${hash} could still be mined`);
    }
    return found;
  }

  /** True when the nonce is not used in a final block. A reorganisation can still undo the newer blocks. */
  async function isUsable({ from, nonce }: Cast): Promise<boolean> {
    const head = Number(await node().node<string>('eth_blockNumber'));
    const final = `0x${Math.max(0, head - Number(chain.finality) + 1).toString(16)}`;
    return Number(await node().node<string>('eth_getTransactionCount', [from, final])) <= nonce;
  }

  return { onCast, onRefund, tally };
}
