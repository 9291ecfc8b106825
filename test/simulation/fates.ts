import { personIdOf } from '../../functions/logic/kyc/person-blocks.ts';
import { blockCall, ownerCall } from '../../sandbox/chain/deploy.ts';
import type { Dice } from './dice.ts';
import type { InstancePorts } from './instances.ts';
import type { Kernel } from './kernel.ts';
import type { Node } from './node.ts';
import type { Bought } from './shop.ts';

type Options = {
  kernel: Kernel;
  dice: Dice;
  bought: readonly Bought[];
  node: () => Node;
  ports: () => InstancePorts;
};

/** The misfortunes of some kinds of buyers: a list or a token's issuer refuses the client or the wallet. */
export function openFates({ kernel, dice, bought, node, ports }: Options) {
  const blacklisted = new Set<string>();

  async function refuse({ plan: { clientId } }: Bought): Promise<void> {
    await kernel.outside(() =>
      ports().clients.noteVerdict(clientId, { rejectedAt: kernel.now(), rejectedFor: 'SANCTIONS_HIT' }),
    );
  }

  /** An operator blocks the person at all partners. */
  async function block({ plan: { cpf } }: Bought): Promise<void> {
    const { personBlocks, lookup } = ports();
    const ruling = { by: 'ana', at: kernel.now(), reason: 'a stolen document' };
    await kernel.outside(async () =>
      personBlocks.block({ ...ruling, id: await personIdOf(cpf, lookup), state: 'ACTIVE' }),
    );
  }

  function isRefusedInBetween(scope: string): boolean {
    return bought.some(({ plan }) => plan.scope === scope && plan.kind === 'client refused while settling');
  }

  /** Refuses the client during the visit of settlement that first checks the client and then takes a nonce. */
  function refuseSoon(scope: string): void {
    kernel.act(`a list on ${scope}`, scope, async () => {
      await kernel.wait(dice.within(0, 4000));
      await refuse(bought.find(({ plan }) => plan.scope === scope)!);
    });
  }

  async function blacklist({ plan: { asset, wallet } }: Bought): Promise<void> {
    if (blacklisted.has(wallet)) return;
    blacklisted.add(wallet);
    await node().owner(blockCall(asset, wallet));
  }

  async function onCast(raw: string): Promise<void> {
    const each = bought.find(({ plan }) => raw.includes(plan.wallet.slice(2).toLowerCase()));
    if (each?.plan.kind === 'destination blacklisted once sent') await blacklist(each);
    if (each?.plan.kind === 'client refused once sent') await refuse(each);
  }

  async function onPaid(each: Bought): Promise<void> {
    const { kind, wallet } = each.plan;
    if (kind === 'wallet refused after payment')
      await node().owner(ownerCall('SanctionsOracle', 'addToSanctionsList', [[wallet]]));
    if (kind === 'destination blacklisted') await blacklist(each);
    if (kind === 'client refused after payment') await refuse(each);
    if (kind === 'blocked after payment') await block(each);
  }

  return { isRefusedInBetween, refuseSoon, block, onCast, onPaid };
}
