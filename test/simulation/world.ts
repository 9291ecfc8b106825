import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { DomainEvent } from '../../functions/domain/events.ts';
import type { MoneyCase } from '../../functions/domain/money-case.ts';
import type { StrayPix } from '../../functions/domain/stray.ts';
import { type Status, TERMINAL, type Transaction } from '../../functions/domain/transaction.ts';
import { readTreasuryFloat } from '../../functions/schedules/read-treasury-float.ts';
import { reconcileBooks } from '../../functions/schedules/reconcile-books.ts';
import { reconcilePix } from '../../functions/schedules/reconcile-pix.ts';
import { putApproved } from '../support/approved.ts';
import { aClient, aPartner } from '../support/builders.ts';
import { openBank } from './bank.ts';
import { type Bought, buy, payCharge, type Shop } from './buyer.ts';
import { openMachine, openQueues } from './cloud-services.ts';
import { openTables } from './database.ts';
import { chance, diceOf } from './dice.ts';
import { openExecutions } from './executions.ts';
import { type Injected, openFaults } from './faults.ts';
import { CONSUMERS, receiveCallback, SCHEDULES } from './functions.ts';
import { openGuards, type Violation } from './guards.ts';
import { type InstancePorts, openInstances } from './instances.ts';
import { judge } from './invariants.ts';
import { type Kernel, openKernel } from './kernel.ts';
import { openFacts } from './ledger-of-facts.ts';
import { FINAL_BLOCKS, openNode } from './node.ts';
import { openPartner } from './partner.ts';
import { useKernel } from './process.ts';
import { planOf } from './purchases.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
/** After every anvil's first block, whenever this runs. */
const START_AT = Date.UTC(2090, 0, 2);
const SPAN_MS = 60 * MINUTE_MS;
/** The last purchase's windows, and an hour. */
const QUIET_AFTER_MS = SPAN_MS + 2 * HOUR_MS;
/** A person may have to pause for a while; nobody is asked in here. */
const STUCK_AFTER_MS = 4 * HOUR_MS;
/** Refunds are tried for two and a half days. */
const LONGEST_MS = 12 * 24 * HOUR_MS;

export type WorldOptions = {
  seed: string;
  /** The purchases of this world, by their number in it. */
  purchases: readonly number[];
  /** Only these faults. */
  only?: ReadonlySet<string>;
  keepsLog?: boolean;
  /** With the first invariant that is seen broken on the way; the others are not judged then. */
  stopsEarly?: boolean;
};
export type Outcome = {
  violations: readonly Violation[];
  injected: Injected[];
  lines: string[];
  digest: string;
  counts: Record<string, number>;
  bought: Bought[];
};

/** Simulates some purchases to their ends, and judges what is there then. */
export async function simulateWorld(options: WorldOptions): Promise<Outcome> {
  const { seed, purchases, only, keepsLog, stopsEarly } = options;
  const faults = openFaults({ seed, quietAt: START_AT + QUIET_AFTER_MS, only });
  const kernel = openKernel({ seed, startAt: START_AT, faults, keepsLog });
  useKernel(kernel);
  const world = await openWorld(kernel, { seed, purchases, faults });
  try {
    const isCut = () => stopsEarly === true && world.seen.length > 0;
    await kernel.run(() => world.isOver() || isCut());
    const outcome = await world.conclude();
    return isCut() ? { ...outcome, violations: world.seen } : outcome;
  } catch (error) {
    const says = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { ...(await world.conclude()), violations: [{ invariant: 0, says }] };
  } finally {
    useKernel(undefined);
    await world.stop();
  }
}

type Opened = { seed: string; purchases: readonly number[]; faults: ReturnType<typeof openFaults> };

async function openWorld(kernel: Kernel, { seed, purchases, faults }: Opened) {
  const bought: Bought[] = purchases.map((index) => ({
    plan: planOf(seed, index, SPAN_MS),
    ...{ pixIds: [], isPaid: false },
  }));
  const violations: Violation[] = [];
  const facts = openFacts(bought);
  const { memory, tables } = openTables(kernel);
  const names = tables.names as Record<string, string>;
  const guards = openGuards({
    ...{ kernel, memory, names, facts, report: (each) => violations.push(each) },
    bank: () => bank,
    node: () => node,
  });
  const dice = diceOf(seed, 'world');
  const enough = BigInt(purchases.length) * 400n * 10n ** 6n;
  let activeAt = kernel.now();
  let settlingAt = 0;
  let isOver = false;
  let buyersLeft = bought.length;
  let posts = 0;

  const happens = (share: number, ...words: string[]) =>
    !faults.isQuiet(kernel.now()) && faults.happens(share, ...words);
  const onCallback = (body: string) => callBack(body);
  const bank = openBank(kernel, onCallback);
  const first = dice.isBelow(0.5) ? enough : enough / 6n;
  const node = await openNode(kernel, { units: first, onCast });
  const funds = { USDT: await node.balance('USDT'), USDC: await node.balance('USDC') };
  const partner = openPartner(kernel, { seed, isQuiet: faults.isQuiet });
  const executions = openExecutions({
    ...{ kernel, seed, faults, scopeOf: facts.scopeOf, machine: () => machine },
    call: (name, scope, work, slowMs) => call(name, scope, work, { slowMs }),
    twinShare: (name, scope) => (name === 'SettleStablecoin' && isRefusedInBetween(scope) ? 0.9 : 0.02),
    onStep(name, scope) {
      if (name === 'SettleStablecoin' && isRefusedInBetween(scope)) refuseSoon(scope);
      if (name !== 'RefundPixPayment') activeAt = kernel.now();
      if (name === 'SettleStablecoin') settlingAt = kernel.now();
    },
  });
  const machine = openMachine(kernel, executions.begin);
  const queues = openQueues(kernel, {
    happens,
    laterBy: (id) => chance(seed, id, 'late') ** 4 * (faults.isQuiet(kernel.now()) ? 2000 : 60_000),
    consumers: {
      webhook: (message) => {
        const { eventId } = message as { eventId: string };
        return call('DeliverWebhook', facts.scopeOf(eventId.split('.')[0]!), (ports) =>
          CONSUMERS.webhook(message, ports),
        );
      },
      callback: (message) => {
        const [txid = ''] = (message as { txids?: string[] }).txids ?? [];
        return call('ProcessCallback', facts.scopeOf(txid), (ports) => CONSUMERS.callback(message, ports));
      },
    },
  });
  const instances = openInstances({ kernel, memory, tables, bank, node, machine, queues, partner });
  facts.hear(memory, names, {
    report: (violation) => violations.push(violation),
    onEvent(id) {
      // The stream of the table hands each new event to the queue, unless the pipe breaks.
      if (!happens(0.02, id, 'lost from the stream')) queues.put('webhook', JSON.stringify({ eventId: id }));
    },
  });

  const demo = aPartner({ createdAt: START_AT });
  const ports = instances.setUp();
  await setUp();
  const shop: Shop = {
    kernel,
    seed,
    partner: demo,
    bank,
    call: (name, scope, work) => call(name, scope, work, { seconds: 25 }),
    onPaid,
    report: (violation) => violations.push(violation),
    lastRequestOf: (clientId) =>
      memory.rows(names.clients!).find(({ id }) => id === clientId)?.lastRequestId as string | undefined,
  };
  start();

  function call<Output>(
    name: string,
    scope: string,
    work: (ports: InstancePorts) => Promise<Output>,
    { seconds = 30, slowMs }: { seconds?: number; slowMs?: number } = {},
  ) {
    const spawned = { name, scope, timeoutMs: seconds * SECOND_MS, slowMs };
    return kernel.invoke(spawned, () => instances.use(name, work));
  }

  async function setUp(): Promise<void> {
    const { client } = tables;
    const secretCipher = await ports.vault.encrypt('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', demo.id);
    const endpoint = { id: 'e1', url: 'https://partner.example/hooks', secretCipher, createdAt: START_AT };
    const row = { ...demo, webhookEndpoints: [endpoint], id: `PARTNER#${demo.id}` };
    await client.send(new PutCommand({ TableName: names.partners!, Item: row }));
    for (const { plan } of bought) {
      const { clientId, kycToken, cpf, totpSecret } = plan;
      const [cpfCipher, totpCipher] = await Promise.all([
        ports.vault.encrypt(cpf, clientId),
        ports.vault.encrypt(totpSecret, clientId),
      ]);
      await ports.clients.create(
        aClient({ id: clientId, partnerId: demo.id, cpfCipher, totpCipher, enrolledAt: START_AT - HOUR_MS }),
      );
      await putApproved(ports as never, {
        ...{ kycToken, partnerId: demo.id, clientId, model: 2, createdAt: START_AT - HOUR_MS },
      });
    }
    await reconcilePix(ports);
    await readTreasuryFloat(ports);
  }

  function start(): void {
    for (const each of bought) {
      kernel.act(`buyer ${each.plan.scope}`, each.plan.scope, async () => {
        await buy(each, shop).finally(() => buyersLeft--);
      });
    }
    for (const schedule of SCHEDULES) kernel.act(schedule[0], schedule[0], () => repeat(schedule));
    kernel.act('miner', 'chain', mine);
    kernel.act('forger', 'forger', forge);
    kernel.act('issuers', 'issuers', pauseTokens);
    if (first < enough) kernel.act('top up', 'funds', topUpLater);
    kernel.act('judge', 'judge', watchForTheEnd);
    bank.watch(onBankRequest);
  }

  async function repeat([name, minutes, operation]: (typeof SCHEDULES)[number]): Promise<void> {
    for (let run = 0; ; run++) {
      const isIdle = kernel.now() - activeAt > 15 * MINUTE_MS && buyersLeft === 0;
      await kernel.wait(minutes * MINUTE_MS * (isIdle ? 15 : 1));
      if (happens(0.02, name, String(run), 'not started')) continue;
      // Not waited for: one that hangs does not keep the next from starting.
      kernel.act(`${name} ${run}`, `${name}/${run}`, async () => {
        await call(name, `${name}/${run}`, operation, { seconds: 55 });
      });
    }
  }

  async function mine(): Promise<void> {
    for (;;) {
      await kernel.wait(dice.within(4, 24) * SECOND_MS);
      if (kernel.now() - settlingAt > 7 * MINUTE_MS) continue;
      if (happens(0.04, 'drop', String(node.counts.blocks))) await node.drop(dice.within(0, 3));
      await node.mine();
      if (happens(0.05, 'reorg', String(node.counts.blocks))) await node.reorg(depth());
    }
  }

  /** Mostly short; now and then so long that what was reported as completed is undone. */
  const depth = () => dice.within(1, dice.isBelow(0.7) ? 2 : FINAL_BLOCKS - 1);

  async function onCast(raw: string): Promise<void> {
    settlingAt = kernel.now();
    await guards.onCast(raw);
    const each = bought.find(({ plan }) => raw.includes(plan.wallet.slice(2).toLowerCase()));
    if (each?.plan.kind === 'destination blacklisted once sent') await blacklist(each);
    if (each?.plan.kind === 'client refused once sent') await refuse(each);
  }

  async function refuse({ plan: { clientId } }: Bought): Promise<void> {
    await kernel.outside(() =>
      ports.clients.noteVerdict(clientId, { rejectedAt: kernel.now(), rejectedFor: 'SANCTIONS_HIT' }),
    );
  }

  function isRefusedInBetween(scope: string): boolean {
    return bought.some(({ plan }) => plan.scope === scope && plan.kind === 'client refused while settling');
  }

  /** While the visit that looks whether the client is clear, and then takes a nonce, is under way. */
  function refuseSoon(scope: string): void {
    kernel.act(`a list on ${scope}`, scope, async () => {
      await kernel.wait(dice.within(0, 4000));
      await refuse(bought.find(({ plan }) => plan.scope === scope)!);
    });
  }

  const blacklisted = new Set<string>();
  async function blacklist({ plan: { asset, wallet } }: Bought): Promise<void> {
    if (blacklisted.has(wallet)) return;
    blacklisted.add(wallet);
    if (asset === 'USDC') await node.owner('UsdcLike', 'blacklist', [wallet]);
    else await node.owner('UsdtLike', 'addBlackList', [wallet]);
  }

  async function onPaid(each: Bought): Promise<void> {
    const { kind, wallet } = each.plan;
    activeAt = kernel.now();
    if (kind === 'wallet refused after payment')
      await node.owner('SanctionsOracle', 'addToSanctionsList', [[wallet]]);
    if (kind === 'destination blacklisted') await blacklist(each);
    if (kind === 'client refused after payment') await refuse(each);
  }

  const refused = new Map<string, boolean>();
  const closing = new Set<string>();
  async function onBankRequest(request: { method: string; path: string; body: unknown }): Promise<void> {
    const [, kind, id = '', , refundId = ''] = request.path.split('?')[0]!.split('/');
    if (kind === 'cob') await onCharge(request, id);
    if (kind !== 'pix' || request.method !== 'PUT') return;
    await guards.onRefund(id);
    if (!refused.has(refundId)) {
      const before = [...refused.keys()].filter((each) => each.includes(refundId.split('R')[0]!)).length;
      refused.set(refundId, before < (facts.ofPix(id)?.plan.refusals ?? 0));
    }
    await bank.setOutcome(refused.get(refundId) ? 'NAO_REALIZADO' : 'DEVOLVIDO');
  }

  /** A Pix that arrives while its charge is being closed: before that, or between that and the look at it. */
  async function onCharge({ method, body }: { method: string; body: unknown }, txid: string): Promise<void> {
    const each = facts.byTransaction.get(txid);
    if (each?.plan.kind !== 'paid during the closing' || each.isPaid) return;
    const isClosing = method === 'PATCH' && (body as { status?: string }).status !== undefined;
    const isAfter = each.plan.index % 2 === 1;
    if (isClosing && isAfter) closing.add(txid);
    else if (isClosing || closing.has(txid)) await payCharge(each, shop);
  }

  /** Posts of the provider: lost, late, twice, in another order than they were sent. */
  function callBack(body: string, isForged = false): void {
    const id = `callback-${++posts}`;
    if (!isForged && happens(0.1, id, 'lost')) return;
    const copies = happens(0.1, id, 'twice') ? [1, 2] : [1];
    for (const copy of copies) {
      kernel.act('provider posts', id, async () => {
        await kernel.wait(chance(seed, id, copy) ** 3 * 40 * SECOND_MS);
        await call('PixReceived', `${id}.${copy}`, (own) => receiveCallback(body, own), { seconds: 10 });
      });
    }
  }

  /** Whoever knows our address can write to it: of purchases that nobody paid, and of none that there is. */
  async function forge(): Promise<void> {
    while (!faults.isQuiet(kernel.now())) {
      await kernel.wait(dice.within(30, 300) * SECOND_MS);
      const known = [...facts.byTransaction.keys()];
      const txid = known[dice.within(0, known.length)] ?? '01FORGED00000000000000000000';
      const endToEndId = `E${'99999'}${String(dice.within(1e9, 9e9)).padEnd(26, '0')}`.slice(0, 32);
      const pix = [{ endToEndId, txid, valor: '500.00', horario: new Date(kernel.now()).toISOString() }];
      callBack(JSON.stringify({ pix }), true);
    }
  }

  async function pauseTokens(): Promise<void> {
    for (let round = 0; !faults.isQuiet(kernel.now()); round++) {
      await kernel.wait(dice.within(20, 90) * MINUTE_MS);
      if (faults.isQuiet(kernel.now()) || !happens(0.5, 'pause', String(round))) continue;
      const token = round % 2 ? 'UsdtLike' : 'UsdcLike';
      await node.owner(token, 'pause');
      await kernel.wait(dice.within(2, 15) * MINUTE_MS);
      await node.owner(token, 'unpause');
    }
  }

  async function topUpLater(): Promise<void> {
    await kernel.wait(dice.within(60, 150) * MINUTE_MS);
    const share = enough / BigInt(node.wallets.length);
    const issue = async (name: 'UsdcLike' | 'UsdtLike', method: string, args: unknown[]) => {
      // A token that is paused is not handed out either.
      while (!(await node.owner(name, method, args))) await kernel.wait(MINUTE_MS);
    };
    await issue('UsdtLike', 'issue', [enough]);
    for (const wallet of node.wallets) {
      await issue('UsdcLike', 'mint', [wallet, share]);
      await issue('UsdtLike', 'transfer', [wallet, share]);
      funds.USDC += share;
      funds.USDT += share;
    }
  }

  async function watchForTheEnd(): Promise<void> {
    while (!isOver) {
      await kernel.wait(10 * MINUTE_MS);
      const isLate = kernel.now() - START_AT > LONGEST_MS;
      if (isLate || isStuck() || (faults.isQuiet(kernel.now()) && isAtRest())) isOver = true;
    }
  }

  /** Nothing goes wrong any more, and yet a purchase does not end: days of waiting would show no more. */
  function isStuck(): boolean {
    if (kernel.now() - START_AT < QUIET_AFTER_MS + STUCK_AFTER_MS) return false;
    return memory.rows(names.transactions!).some(({ status }) => !TERMINAL.includes(status as Status));
  }

  function isAtRest(): boolean {
    const isRunning = [...machine.executions.values()].some(({ status }) => status === 'RUNNING');
    const waits = (name: string, field: string) =>
      memory.rows(names[name]!).some((row) => row[field] !== undefined);
    return (
      buyersLeft === 0 &&
      !isRunning &&
      queues.counts.waiting === 0 &&
      !waits('transactions', 'nextCheckAt') &&
      !waits('settlements', 'nextCheckAt') &&
      !waits('strays', 'nextCheckAt') &&
      !waits('events', 'sweep') &&
      !waits('deliveries', 'due')
    );
  }

  /** The books are compared once more, whole: what reconciliation finds where nothing is amiss is a fault of its own. */
  async function reconcile(): Promise<void> {
    await node.bury();
    const from = new Date(START_AT - HOUR_MS).toISOString();
    const to = new Date(kernel.now() + MINUTE_MS).toISOString();
    await reconcileBooks(ports, { from, to });
  }

  async function conclude(): Promise<Outcome> {
    await reconcile().catch((error: unknown) =>
      violations.push({ invariant: 6, says: `the books cannot be compared: ${error}` }),
    );
    const found = {
      now: kernel.now(),
      transactions: memory.rows(names.transactions!) as unknown as Transaction[],
      strays: (memory.rows(names.strays!) as unknown as StrayPix[]).filter(({ id }) => id !== 'CURSOR'),
      events: memory.rows(names.events!) as unknown as DomainEvent[],
      pix: await bank.listPix(),
      transfers: await node.transfers(),
      unitsOut: {
        USDT: funds.USDT - (await node.balance('USDT')),
        USDC: funds.USDC - (await node.balance('USDC')),
      },
      acceptedEvents: new Set(partner.accepted.keys()),
      cases: memory
        .rows(names.moneyCases!)
        .filter(({ kind }) => kind !== undefined) as unknown as MoneyCase[],
      wasOutdated: bank.wasOutdated,
      scopeOf: facts.scopeOf,
    };
    const all = [...violations, ...judge(found)];
    const ends = Object.groupBy(found.transactions, ({ status, refund }) =>
      refund ? `${status}, ${refund.status}` : status,
    );
    const counts = {
      ...Object.fromEntries(Object.entries(ends).map(([end, list]) => [`purchases ${end}`, list!.length])),
      ...Object.fromEntries(
        Object.entries(
          Object.groupBy(found.strays, ({ reason, refund }) => `${reason}, ${refund.status}`),
        ).map(([end, list]) => [`stray Pix ${end}`, list!.length]),
      ),
      'purchases not opened': bought.length - found.transactions.length,
      effects: kernel.counts.effects,
      kills: kernel.counts.kills,
      'functions out of time': kernel.counts.timeouts,
      'executions lost': executions.counts.lost,
      'steps run twice': executions.counts.twins,
      'steps given up by the state machine': executions.counts.timedOut,
      'messages repeated': queues.counts.repeated,
      'dead letters': queues.counts.deadLetters,
      blocks: node.counts.blocks,
      reorganisations: node.counts.reorgs,
      'transactions dropped from the pool': node.counts.dropped,
      'transfers sent': node.counts.casts,
      'events accepted': partner.counts.events,
      'events accepted again': partner.counts.repetitions,
      ...Object.fromEntries(
        Object.entries(faults.counts).map(([fault, count]) => [`faults ${fault}`, count]),
      ),
      'virtual minutes': Math.round((kernel.now() - START_AT) / MINUTE_MS),
    };
    return {
      ...{
        violations: all,
        injected: faults.injected,
        lines: kernel.lines,
        digest: kernel.digest(),
        counts,
        bought,
      },
    };
  }

  return {
    isOver: () => isOver,
    seen: violations as readonly Violation[],
    conclude,
    stop: () => node.stop(),
  };
}
