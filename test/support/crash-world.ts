import { KMSClient } from '@aws-sdk/client-kms';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { Transaction } from 'ethers';
import { expect } from 'vitest';
import { envelope } from '../../functions/adapters/aws/vault.ts';
import { kmsSigner, type Signer } from '../../functions/adapters/chain/kms-signer.ts';
import { partnerRegister } from '../../functions/adapters/dynamodb/partners.ts';
import { transactionStore } from '../../functions/adapters/dynamodb/transactions.ts';
import type { Status } from '../../functions/domain/purchase/status.ts';
import type { Transaction as Purchase } from '../../functions/domain/purchase/transaction.ts';
import { fund, localChain } from '../../sandbox/chain/deploy.ts';
import { startFaultProxy } from '../../sandbox/chain/fault-proxy.ts';
import { aClient, aPartner } from './builders.ts';
import { DATA_KEY, keyId, openCloud } from './crash-cloud.ts';
import { type Fate, type Gate, openEdge } from './crash-edge.ts';
import { environmentOf, secretsOf } from './crash-environment.ts';
import { type Process, startProcess } from './crash-process.ts';
import { dice } from './dice.ts';
import { aPurchaseIn } from './ports.ts';
import { openSeals } from './seals.ts';
import { newAddress, openWorld } from './settlement-world.ts';
import { KEY, pay, startStubPsp } from './stub-psp.ts';
import { rowIn, startTables } from './tables.ts';

/** The time-out of a test that starts processes, because they start slowly on a busy machine. */
export const PATIENT = { timeout: 600_000 };

const MINUTE_MS = 60_000;
const VALOR = '250.00';
/** The CPF of every payer at the provider. */
const CPF = '11144477735';
const clock = { now: () => Date.now(), minuteMs: MINUTE_MS };

type Treasury = { key: string; address: string; signer: Signer; spend(nonce: number): Promise<void> };
export type CrashWorld = Awaited<ReturnType<typeof openCrashWorld>>;
export type Given = Awaited<ReturnType<CrashWorld['begin']>>;
type Settings = {
  /** The wallets of this other purchase also pay the new one. */
  of?: { treasuries: Treasury[] };
  /** The client's wallet. A new one when absent. */
  to?: string;
  wallets?: number;
  confirmations?: number;
  nodes?: readonly ('node' | 'honest')[];
};

/**
 * The tables, KMS, Step Functions, payment provider and chain for processes that die. The chain mines no blocks by
 * itself.
 */
export async function openCrashWorld() {
  const [chain, tables, psp] = await Promise.all([openWorld(), startTables(), startStubPsp()]);
  await chain.stopMining();
  const node = await startFaultProxy(chain.url);
  const paths = { psp: psp.url, node: node.url, honest: chain.url };
  const cloud = openCloud({ database: tables.url, paths, secretOf: secretsOf(psp.settings()) });
  const edge = await openEdge(cloud.outside, { strike: () => undefined });
  const store = transactionStore(tables.client, tables.names, dice);
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const kms = new KMSClient({ endpoint: edge.url, region: 'sa-east-1', credentials });
  const settings = { load: async () => kms, dataKeyId: DATA_KEY, random: dice, clock };
  const locked = envelope({ ...settings, purpose: { purpose: 'client' } });
  const { sealPurchase } = openSeals(kms, { dataKeyId: DATA_KEY });
  let begun = 0;

  /** Makes a treasury with a new key and funds. */
  async function openTreasury() {
    const key = keyId(begun++);
    const signer = kmsSigner(async () => kms, key);
    const address = await signer.address();
    await fund(chain.url, address, { tokenUnits: 1_000_000_000n });
    return { key, address, signer, spend: (nonce: number) => spend(signer, nonce) };
  }

  /** Uses the nonce as a stranger with the key would: moves one wei. */
  async function spend(signer: Signer, nonce: number): Promise<void> {
    const transaction = Transaction.from({
      type: 2,
      chainId: localChain.chainId,
      nonce,
      to: newAddress(),
      value: 1n,
      gasLimit: 21_000n,
      maxFeePerGas: 10n ** 10n,
      maxPriorityFeePerGas: 10n ** 9n,
    });
    const { raw } = await signer.sign(transaction);
    await chain.node('eth_sendRawTransaction', [raw]);
  }

  /** Stores the partner of the purchase with a webhook endpoint at `url`. */
  async function putPartner({ partnerId: id }: Purchase, url: string, secret: string): Promise<void> {
    const secretCipher = await envelope({ ...settings, purpose: { purpose: 'webhook' } }).encrypt(secret, id);
    const webhookEndpoints = [{ id: 'endpoint', url, secretCipher, createdAt: clock.now() }];
    await partnerRegister(tables.client, tables.names.partners, dice).create(
      aPartner({ id, webhookEndpoints }),
    );
  }

  /** Puts the charge of a purchase to the provider and pays it. */
  function putCharge({ id: txid, payment }: Purchase): void {
    const criacao = new Date().toISOString();
    const calendario = { criacao, expiracao: 1800 };
    psp.charges.set(txid, { txid, calendario, valor: { original: VALOR }, chave: KEY, status: 'ATIVA' });
    const endToEndId = payment?.endToEndId;
    pay(psp, txid, { valor: VALOR, horario: criacao, ...(endToEndId && { endToEndId }) });
  }

  /** Stores a purchase whose charge is paid at the provider, and offers processes that work on it. */
  async function begin(
    status: Status,
    { of, to = newAddress(), wallets = 1, confirmations = 1, nodes = ['node'] }: Settings = {},
  ) {
    const treasuries = of?.treasuries ?? [await openTreasury()];
    while (treasuries.length < wallets) treasuries.push(await openTreasury());
    const keys = treasuries.map(({ key }) => key).join();
    const now = Date.now();
    const opened = aPurchaseIn(status, {
      walletAddress: to,
      createdAt: now,
      expiresAt: now + 30 * MINUTE_MS,
      nextCheckAt: now,
      history: [{ status, at: now }],
      pix: { payload: 'BRCODE', expiresAt: now + 30 * MINUTE_MS },
    });
    const purchase = await sealPurchase(opened);
    await store.create(purchase);
    const cpfCipher = await locked.encrypt(CPF, purchase.clientId);
    const client = aClient({ id: purchase.clientId, cpfCipher });
    await tables.client.send(new PutCommand({ TableName: tables.names.clients, Item: client }));
    putCharge(purchase);
    const started: Process[] = [];
    const { id } = purchase;

    return {
      world: { chain, node, psp, cloud, tables },
      treasuries,
      treasury: treasuries[0]!,
      purchase,
      id,
      started,
      /** Starts a new process. Its fate may kill it. */
      async process(fate?: Fate, gate?: Gate): Promise<Process> {
        const environment = (url: string) => environmentOf({ url, key: keys, confirmations, nodes });
        const process = await startProcess({ environment, outside: cloud.outside, fate, gate });
        started.push(process);
        return process;
      },
      /** Starts a process, runs the handler in it and expects that the fate kills it. */
      async kill(fate: Fate, file: string, event?: unknown): Promise<void> {
        const doomed = await this.process(fate);
        expect(await doomed.die(file, event)).toBe('SIGKILL');
      },
      hearsAt: (url: string, secret: string) => putPartner(purchase, url, secret),
      /** Stores that an execution waits for the payment under this task token. */
      wait: (token: string) => store.saveWait(id, { status: 'AWAITING_PIX', token }),
      find: async () => (await store.findTransaction(id))!,
      settlement: () => rowIn(tables, 'settlements', `PAY#${id}`),
      stop: () => Promise.all(started.map((each) => each.stop())),
    };
  }

  return {
    begin,
    /** The address of all outside services, for callers that are no process of the service. */
    address: edge.url,
    async stop() {
      await Promise.all([edge.stop(), node.stop(), psp.close(), tables.stop(), chain.stop()]);
    },
  };
}
