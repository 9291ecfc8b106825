import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { KMSClient } from '@aws-sdk/client-kms';
import { computeAddress, keccak256 } from 'ethers';
import { kmsSigner, type Signer } from '../functions/adapters/chain/kms-signer.ts';
import { jsonRpc } from '../functions/adapters/chain/rpc.ts';
import { directTreasury } from '../functions/adapters/chain/treasury.ts';
import type { DirectTreasury } from '../functions/adapters/chain/visit.ts';
import type { Book } from '../functions/adapters/dynamodb/settlement-book.ts';
import type { Payout } from '../functions/domain/treasury/settlement.ts';
import type { Treasury } from '../functions/domain/treasury/settlement-ports.ts';
import { fakeKms } from '../test/support/fake-kms.ts';
import { chain, LIMITS, random } from '../test/support/settlement-world.ts';
import { newKey, newRecipient, UNITS, type World } from './settlement-chain.ts';
import type { Transport } from './settlement-transport.ts';

/** The milliseconds that the state machine waits before it tries to settle a pending payout again. */
const AGAIN_MS = 2_000;
const TIMEOUT_MS = 15_000;

export type Visited = { visits: number; doing: Map<string, number> };

/**
 * Makes a signer with a plain key instead of KMS. The measured time is then that of the settlement protocol
 * alone.
 */
export function memorySigner(): Signer {
  const key = newKey();
  const worker = new Worker(new URL('settlement-key.ts', import.meta.url), { workerData: key });
  worker.unref();
  const waiting = new Map<number, (signature: string) => void>();
  worker.on('message', ({ id, signature }: { id: number; signature: string }) => {
    waiting.get(id)?.(signature);
    waiting.delete(id);
  });
  let asked = 0;
  const sign = (digest: string) =>
    new Promise<string>((resolve) => {
      const id = asked++;
      waiting.set(id, resolve);
      worker.postMessage({ id, digest });
    });
  return {
    address: async () => computeAddress(key),
    async sign(transaction) {
      const signed = transaction.clone();
      signed.signature = await sign(transaction.unsignedHash);
      const raw = signed.serialized;
      return { raw, hash: keccak256(raw) };
    },
  };
}

/**
 * Makes the service's KMS signer with a KMS client in memory. That client has one secp256k1 key, and answers
 * in DER as KMS does.
 */
export function kmsInMemory(): Signer {
  const kms = fakeKms(newKey()) as unknown as KMSClient;
  return kmsSigner(async () => kms, 'key');
}

/** The service's treasury. All visits share it. */
export function openTreasury(
  world: World,
  ports: Pick<DirectTreasury, 'findHold'> & {
    maxInFlight: number;
    signer: Signer;
    book: Book;
    transport: Transport;
  },
): Treasury {
  const { signer, transport, maxInFlight, ...rest } = ports;
  return directTreasury({
    ...rest,
    signers: [signer],
    seals: { isAsSealed: async () => true },
    chain: { ...chain, maxInFlight },
    floatLimits: LIMITS,
    random,
    rpc: jsonRpc(async () => [world.url], { timeoutMs: TIMEOUT_MS, post: transport.fetch }),
    clock: { now: () => Date.now(), minuteMs: 60_000 },
    log: {
      info: () => undefined,
      warn: () => undefined,
      measure: () => undefined,
      raise: (condition, _, fields) => {
        throw new Error(`${condition}: ${fields?.doing}`);
      },
    },
  });
}

export function newPayouts(count: number): Payout[] {
  return Array.from({ length: count }, (_, at) => {
    const transactionId = `01BENCH${String(at).padStart(19, '0')}`;
    return { transactionId, asset: 'USDC', units: UNITS, to: newRecipient() };
  });
}

/**
 * Settles all payouts, at most `atOnce` at a time. Tries a pending payout again after `AGAIN_MS`, as the
 * state machine does.
 */
export async function settleAll(treasury: Treasury, payouts: Payout[], atOnce: number): Promise<Visited> {
  const rest = payouts.values();
  const visited: Visited = { visits: 0, doing: new Map() };
  async function work(): Promise<void> {
    for (const payout of rest) await settle(treasury, payout, visited);
  }
  await Promise.all(Array.from({ length: atOnce }, work));
  return visited;
}

async function settle(treasury: Treasury, payout: Payout, visited: Visited): Promise<void> {
  for (;;) {
    visited.visits++;
    const outcome = await treasury.settle(payout);
    if (outcome.state === 'CONFIRMED') return;
    // The chain refuses nothing here, so a failed try is a bug of the benchmark or of the protocol.
    if (outcome.state === 'FAILED') throw new Error(`${payout.transactionId} failed: ${outcome.reason}`);
    visited.doing.set(outcome.doing, (visited.doing.get(outcome.doing) ?? 0) + 1);
    await pause(AGAIN_MS);
  }
}
