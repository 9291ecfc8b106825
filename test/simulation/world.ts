import { ASSETS, loadPerAsset, perAsset, requireAssetUnits } from '../../functions/domain/assets.ts';
import { sandboxVendor } from '../../sandbox/partner-keys.ts';
import { aPartner } from '../support/builders.ts';
import { openBank } from './bank.ts';
import { openBankLife } from './bank-life.ts';
import { buy } from './buyer.ts';
import { cancelSometimes } from './canceler.ts';
import { openChainLife } from './chain-life.ts';
import { openMachine, openQueues } from './cloud-services.ts';
import { countsOf, find, isAtRest, isStuck, reconcileAll } from './conclusion.ts';
import { openTables } from './database.ts';
import { chance, diceOf } from './dice.ts';
import { openExecutions } from './executions.ts';
import { openFates } from './fates.ts';
import { type Faults, type Injected, openFaults } from './faults.ts';
import { openFloatGuard } from './float-guard.ts';
import { openForeignUse } from './foreign-use.ts';
import { CONSUMERS, SCHEDULES } from './functions.ts';
import { openGuards } from './guards.ts';
import { type InstancePorts, LIMITS, openInstances } from './instances.ts';
import { judge } from './invariants.ts';
import { type Kernel, openKernel } from './kernel.ts';
import { openFacts } from './ledger-of-facts.ts';
import { openMed } from './med.ts';
import { type NamedErrors, openNamedErrors } from './named-errors.ts';
import { openNode } from './node.ts';
import { openPartner } from './partner.ts';
import { openPayoutGuard } from './payout-guard.ts';
import { useKernel } from './process.ts';
import { PARTNERS } from './purchases.ts';
import { plansOf } from './risk/crowd.ts';
import { openRisk } from './risk/risk.ts';
import { setUp } from './set-up.ts';
import type { Bought, Shop } from './shop.ts';
import { LONGEST_MS, MINUTE_MS, QUIET_AFTER_MS, SECOND_MS, SPAN_MS, START_AT } from './times.ts';
import type { Violation } from './violation.ts';

export type WorldOptions = {
  seed: string;
  /** The numbers of this world's purchases. */
  purchases: readonly number[];
  /** Injects only these faults. */
  only?: ReadonlySet<string>;
  keepsLog?: boolean;
  /** Stops at the first invariant that a guard sees broken. The invariants of the end are not judged then. */
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

/** Simulates purchases to their ends, and judges the facts that exist then. */
export async function simulateWorld(options: WorldOptions): Promise<Outcome> {
  const { seed, purchases, only, keepsLog, stopsEarly } = options;
  const faults = openFaults({ seed, quietAt: START_AT + QUIET_AFTER_MS, only });
  const violations: Violation[] = [];
  const report = (violation: Violation) => void violations.push(violation);
  const errors = openNamedErrors(report);
  const kernel = openKernel({ seed, startAt: START_AT, faults, onFailure: errors.note, keepsLog });
  useKernel(kernel);
  const world = await openWorld(kernel, { seed, purchases, faults, violations, errors });
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

/** Some treasuries hold all the tokens that are needed. Others hold a fraction until they are refilled. */
const SCARCITY = [
  [1n, 5],
  [6n, 3],
  [20n, 2],
] as const;

type Opened = {
  seed: string;
  purchases: readonly number[];
  faults: Faults;
  violations: Violation[];
  errors: NamedErrors;
};

async function openWorld(kernel: Kernel, { seed, purchases, faults, violations, errors }: Opened) {
  const plans = purchases.flatMap((index) => plansOf(seed, index, SPAN_MS));
  const bought: Bought[] = plans.map((plan) => ({ plan, pixIds: [], isPaid: false }));
  const report = (violation: Violation) => void violations.push(violation);
  const facts = openFacts(bought, kernel.now);
  const { memory, tables } = openTables(kernel);
  const names = tables.names as Record<string, string>;
  const guards = openGuards({
    kernel,
    memory,
    names,
    facts,
    report,
    bank: () => bank,
    node: () => node,
  });
  const float = openFloatGuard({ kernel, memory, names, report, node: () => node });
  const payouts = openPayoutGuard({
    now: kernel.now,
    ceilingOf: (asset) => requireAssetUnits(asset, LIMITS[asset].hourlyPayout),
    report,
  });
  const risk = openRisk({
    kernel,
    seed,
    memory,
    names,
    bank: () => bank,
    scopeOf: facts.scopeOfRow,
    report,
  });
  const dice = diceOf(seed, 'world');
  const enough = perAsset((asset) => BigInt(purchases.length) * 400n * 10n ** BigInt(ASSETS[asset].decimals));
  let activeAt = kernel.now();
  let settlingAt = 0;
  let isOver = false;
  let buyersLeft = bought.length;

  const { isQuiet } = faults;
  const happens = (share: number, ...words: string[]) =>
    !isQuiet(kernel.now()) && faults.happens(share, ...words);
  const bank = openBank(kernel, (body) => bankLife.callBack(body));
  const scarcity = dice.pick(SCARCITY);
  const first = perAsset((asset) => enough[asset] / scarcity);
  const fates = openFates({ kernel, dice, bought, node: () => node, ports: () => ports });
  const onCast = async (raw: string) => {
    settlingAt = kernel.now();
    await guards.onCast(raw);
    await fates.onCast(raw);
  };
  const node = await openNode(kernel, {
    units: first,
    nodes: dice.isBelow(0.7) ? 2 : 3,
    onCast,
    isQuiet,
  });
  const funds = { ...(await loadPerAsset(node.balance)) };
  const partner = openPartner(kernel, { seed, isQuiet });
  const executions = openExecutions({
    kernel,
    seed,
    faults,
    scopeOf: facts.scopeOf,
    machine: () => machine,
    call: (name, scope, work, slowMs) => call(name, scope, work, { slowMs }),
    twinShare: (name, scope) => (name === 'SettleStablecoin' && fates.isRefusedInBetween(scope) ? 0.9 : 0.02),
    onStep(name, scope) {
      if (name === 'SettleStablecoin' && fates.isRefusedInBetween(scope)) fates.refuseSoon(scope);
      if (name !== 'RefundPixPayment') activeAt = kernel.now();
      if (name === 'SettleStablecoin') settlingAt = kernel.now();
    },
  });
  const machine = openMachine(kernel, executions.begin);
  const queues = openQueues(kernel, {
    happens,
    laterBy: (id) => chance(seed, id, 'late') ** 4 * (isQuiet(kernel.now()) ? 2000 : 60_000),
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
  const instances = openInstances({
    kernel,
    memory,
    tables,
    bank,
    node,
    machine,
    queues,
    partner,
    errors,
    risk,
  });
  const med = openMed({ kernel, seed, happens, isQuiet, bank: () => bank });
  facts.hear(memory, names, {
    report,
    onPurchase(before, after) {
      float.onWrite(before, after, facts.scopeOf(after.id));
      med.onPurchase(after);
      risk.onPurchase(before, after);
    },
    onWrite: risk.onWrite,
    onNonce(settlement) {
      const id = String(settlement.transactionId);
      payouts.onNonce(settlement, facts.scopeOf(id));
      risk.onNonce(id, facts.scopeOf(id));
    },
    onEvent(id) {
      // The stream of the table puts each new event into the queue, unless this fault loses it.
      if (!happens(0.02, id, 'lost from the stream')) queues.put('webhook', JSON.stringify({ eventId: id }));
    },
  });

  const partners = PARTNERS.map((id) => aPartner({ id, createdAt: START_AT, kycTokens: sandboxVendor }));
  const ports = instances.setUp();
  await setUp({ tables, ports, partners, bought });
  const refusals: Record<string, number> = {};
  const shop: Shop = {
    kernel,
    seed,
    partnerOf: ({ partnerId }) => partners.find(({ id }) => id === partnerId)!,
    bank,
    call: (name, scope, work) => call(name, scope, work, { seconds: 25 }),
    onOpened: (each) => cancelSometimes(each, shop),
    onPix: (pixIds, scope) => {
      for (const each of pixIds) med.onPix(each, scope);
    },
    onPaid: async (each) => {
      activeAt = kernel.now();
      await fates.onPaid(each);
    },
    report,
    counts: { codes: 0, illiquid: 0 },
    refusals,
    onRefusal(refusal, scope) {
      const { code, details } = refusal;
      const name = ['refused', code, details.scope ?? details.limit].filter(Boolean).join(' ');
      refusals[name] = (refusals[name] ?? 0) + 1;
      risk.onRefusal(refusal, scope);
    },
    onQuoted: risk.onTold,
    block: fates.block,
    isCharged: float.isCharged,
    lastRequestOf: (clientId) =>
      memory.rows(names.clients!).find(({ id }) => id === clientId)?.lastRequestId as string | undefined,
  };
  const bankLife = openBankLife({
    kernel,
    seed,
    dice,
    facts,
    guards,
    happens,
    isQuiet,
    call,
    bank: () => bank,
    shop: () => shop,
  });
  const chainLife = openChainLife({
    kernel,
    seed,
    dice,
    node,
    happens,
    isQuiet,
    funds,
    refill: enough,
    settlingAt: () => settlingAt,
  });
  const foreignUse = openForeignUse({
    kernel,
    seed,
    node,
    memory,
    names,
    happens,
    isQuiet,
    call: (name, scope, work) => call(name, scope, work),
  });
  const parts = {
    kernel,
    memory,
    names,
    bank,
    node,
    partner,
    facts,
    faults,
    executions,
    machine,
    queues,
    funds,
    foreignUse,
    float,
    shop,
    med,
    guards,
    risk,
  };
  start();

  async function call<Output>(
    name: string,
    scope: string,
    work: (ports: InstancePorts) => Promise<Output>,
    { seconds = 30, slowMs }: { seconds?: number; slowMs?: number } = {},
  ) {
    const spawned = { name, scope, timeoutMs: seconds * SECOND_MS, slowMs };
    const ended = await kernel.invoke(spawned, () => instances.use(name, work));
    if (ended.end === 'FAILED') errors.judgeFailure(name, scope, ended.error);
    return ended;
  }

  function start(): void {
    for (const each of bought) {
      kernel.act(`buyer ${each.plan.scope}`, each.plan.scope, async () => {
        await buy(each, shop).finally(() => buyersLeft--);
      });
    }
    for (const schedule of SCHEDULES) kernel.act(schedule[0], schedule[0], () => repeat(schedule));
    kernel.act('miner', 'chain', chainLife.mine);
    kernel.act('nodes', 'nodes', chainLife.mislead);
    kernel.act('foreign use', 'foreign use', foreignUse.useKeys);
    kernel.act('operator', 'operator', foreignUse.operate);
    kernel.act('forger', 'forger', bankLife.forge);
    kernel.act('account', 'account', bankLife.empty);
    kernel.act('issuers', 'issuers', chainLife.pauseTokens);
    if (scarcity > 1n) kernel.act('top up', 'funds', chainLife.topUpLater);
    kernel.act('judge', 'judge', watchForTheEnd);
    bank.watch(bankLife.onRequest);
  }

  async function repeat([name, minutes, operation]: (typeof SCHEDULES)[number]): Promise<void> {
    for (let run = 0; ; run++) {
      const isIdle = kernel.now() - activeAt > 15 * MINUTE_MS && buyersLeft === 0;
      await kernel.wait(minutes * MINUTE_MS * (isIdle ? 15 : 1));
      if (happens(0.02, name, String(run), 'not started')) continue;
      // The run is not awaited, so a run that hangs does not delay the next one.
      kernel.act(`${name} ${run}`, `${name}/${run}`, async () => {
        const scope = `${name}/${run}`;
        const wasShort = name === 'ReconcilePix' && risk.cover.isShort();
        const { end } = await call(name, scope, operation, { seconds: 55 });
        if (name === 'ReconcilePix' && end === 'DONE') risk.cover.onRun(scope, wasShort);
      });
    }
  }

  async function watchForTheEnd(): Promise<void> {
    while (!isOver) {
      await kernel.wait(10 * MINUTE_MS);
      const isLate = kernel.now() - START_AT > LONGEST_MS;
      if (isLate || isStuck(parts) || (isQuiet(kernel.now()) && buyersLeft === 0 && isAtRest(parts)))
        isOver = true;
    }
  }

  async function conclude(): Promise<Outcome> {
    const endedAt = kernel.now();
    await reconcileAll(parts, ports).catch((error: unknown) =>
      report({ invariant: 6, says: `the books cannot be compared: ${error}` }),
    );
    risk.onEnd();
    const found = { ...(await find(parts)), endedAt };
    return {
      violations: [...violations, ...judge(found)],
      injected: faults.injected,
      lines: kernel.lines,
      digest: kernel.digest(),
      counts: countsOf(found, parts, bought.length),
      bought,
    };
  }

  return {
    isOver: () => isOver,
    seen: violations as readonly Violation[],
    conclude,
    stop: () => node.stop(),
  };
}
