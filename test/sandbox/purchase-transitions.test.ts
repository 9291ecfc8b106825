import { expect, test } from 'vitest';
import { AIMS } from '../../benchmarks/purchase-aims.ts';
import { measurePurchase, transitionsOf } from '../../benchmarks/purchase-calls.ts';
import { type MachineDefinition, paceLooks } from '../../infra/machine.ts';
import { readContext } from '../../infra/settings.ts';
import { type Changeable, changedAssembly } from '../support/assemblies.ts';

const { confirmations } = (readContext().chain as { production: { confirmations: number } }).production;
/** The time of Polygon's blocks. */
const BLOCK_SECONDS = 2;
const pace = { confirmations, blockSeconds: BLOCK_SECONDS };

/** Gives the settlement of the sandbox the depth and the pace of production. */
function deepen({ propertiesOf }: Changeable): void {
  const { Environment } = propertiesOf('SettleStablecoin', 'AWS::Lambda::Function');
  const { Variables } = Environment as { Variables: { CHAIN: string } };
  Variables.CHAIN = JSON.stringify({ ...JSON.parse(Variables.CHAIN), ...pace });
  const machine = propertiesOf('MachineOnramp', 'AWS::StepFunctions::StateMachine');
  const definition = JSON.parse(String(machine.DefinitionString)) as MachineDefinition;
  machine.DefinitionString = JSON.stringify(paceLooks(definition, pace));
}

test('a purchase takes at most 12 transitions with the blocks of Polygon and the depth of production', async () => {
  const purchase = await measurePurchase({
    blockSeconds: BLOCK_SECONDS,
    changeAssembly: (assembly) => changedAssembly(assembly, deepen),
  });

  expect(purchase.states.at(-1)).toBe('CompleteTransaction');
  expect(purchase.retries).toBeGreaterThan(0);
  expect(transitionsOf(purchase)).toBeLessThanOrEqual(AIMS.transitions);
});
